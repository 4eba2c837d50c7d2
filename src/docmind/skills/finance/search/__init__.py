"""Finding what a financial question needs: who and when it is about, where to look, and what is still missing."""
