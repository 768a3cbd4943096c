"""`python -m acausal` is the same as the command `acausal`."""

import sys

from acausal.cli import main

sys.exit(main())
