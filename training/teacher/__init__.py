"""A larger model that writes claims and questions for the reader to learn from, and grades them."""
