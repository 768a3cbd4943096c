"""What need not be made twice: object code and translations, in files of the user's own."""
