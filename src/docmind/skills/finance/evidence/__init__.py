"""What passages state of figures: tables put together again, series over time, sentences, and the row that is meant."""
