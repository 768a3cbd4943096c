"""The routine `variables` row by row, and the routine that a model has none of: the same code for all models.

    i32 variables_many(count, t, y, u, p, m, out, done, rows, variables, states, inputs, memory, stored)

calls `variables` for each row from `done` on, which counts them; where a row of `rows` differs from the one before,
m has it there. It returns what `variables` says where that is not 0.
"""

ROWS_TEXT = """\
define void @memory_of_row(i64 %row, ptr %rows, ptr %m, i64 %memory) {
entry:
  %at = mul i64 %row, %memory
  %new = getelementptr double, ptr %rows, i64 %at
  %back = sub i64 0, %memory
  %old = getelementptr double, ptr %new, i64 %back
  %first = icmp eq i64 %row, 0
  br label %test
test:
  %i = phi i64 [ 0, %entry ], [ %next, %kept ]
  %left = icmp slt i64 %i, %memory
  br i1 %left, label %body, label %end
body:
  %xp = getelementptr double, ptr %new, i64 %i
  %x = load double, ptr %xp
  br i1 %first, label %take, label %compare
compare:
  %bp = getelementptr double, ptr %old, i64 %i
  %before = load double, ptr %bp
  %other = fcmp une double %x, %before
  br i1 %other, label %take, label %kept
take:
  %mp = getelementptr double, ptr %m, i64 %i
  store double %x, ptr %mp
  br label %kept
kept:
  %next = add i64 %i, 1
  br label %test
end:
  ret void
}
define i32 @variables_many(i64 %count, ptr %t, ptr %y, ptr %u, ptr %p, ptr %m, ptr %out, ptr %done, ptr %rows,
                           ptr %variables, i64 %states, i64 %inputs, i64 %memory, i64 %stored) {
entry:
  %begin = load i64, ptr %done
  br label %test
test:
  %row = phi i64 [ %begin, %entry ], [ %next, %good ]
  store i64 %row, ptr %done
  %more = icmp slt i64 %row, %count
  br i1 %more, label %body, label %end
body:
  call void @memory_of_row(i64 %row, ptr %rows, ptr %m, i64 %memory)
  %tp = getelementptr double, ptr %t, i64 %row
  %tv = load double, ptr %tp
  %yo = mul i64 %row, %states
  %yp = getelementptr double, ptr %y, i64 %yo
  %uo = mul i64 %row, %inputs
  %up = getelementptr double, ptr %u, i64 %uo
  %oo = mul i64 %row, %stored
  %op = getelementptr double, ptr %out, i64 %oo
  %status = call i32 %variables(double %tv, ptr %yp, ptr %up, ptr %p, ptr %m, ptr %op)
  %ok = icmp eq i32 %status, 0
  br i1 %ok, label %good, label %bad
good:
  %next = add i64 %row, 1
  br label %test
bad:
  ret i32 %status
end:
  ret i32 0
}
define i32 @nothing(double %t, ptr %y, ptr %u, ptr %p, ptr %m, ptr %out) {
  ret i32 0
}
"""
