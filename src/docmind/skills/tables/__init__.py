"""Questions over a table, answered by computing: the table as typed cells, programs over it, and which one is meant."""
