"""The manual as a site with its command line, pages that run, and the build hook that puts it into the wheel."""
