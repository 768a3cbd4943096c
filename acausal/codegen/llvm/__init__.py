"""Programs as LLVM and as machine code."""
