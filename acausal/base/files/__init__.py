"""Files and folders: reading and writing them safely, and which of them a translation depends on."""
