"""Shows documents as they are: the pages of a PDF with the place of every word, the layout of everything else."""
