"""The tables that runs are kept in: what was asked and given, what it rests on, and what people made of it."""

import sqlalchemy as sa

from docmind.database import UPGRADES

SCHEMA = sa.MetaData()
RUNS = sa.Table(
    "runs",
    SCHEMA,
    sa.Column("id", sa.String, primary_key=True),
    sa.Column("workspace", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),  # "" where no user was named
    sa.Column("workflow", sa.String, nullable=False),
    sa.Column("question", sa.Text, nullable=False),
    sa.Column("started", sa.Float, nullable=False),
    sa.Column("thread", sa.String),
    sa.Column("base", sa.String),
    sa.Column("models", sa.JSON, nullable=False),
    sa.Column("state", sa.String, nullable=False),
    sa.Column("reason", sa.Text, nullable=False),
    sa.Column("answers", sa.JSON, nullable=False),
    sa.Column("ended", sa.Float),
    sa.Column("result", sa.Text),
    sa.Column("threshold", sa.JSON, nullable=False, server_default="{}"),
    sa.Column("max_retries", sa.Integer),
    sa.Index("runs_by_scope", "workspace", "owner", "started"),
    info={
        UPGRADES: (
            # The first version gave every answer, however sure it was.
            lambda connection: connection.exec_driver_sql(
                "ALTER TABLE runs ADD COLUMN threshold JSON NOT NULL DEFAULT '{}'"
            ),
            # The second left the retries to the settings.
            lambda connection: connection.exec_driver_sql("ALTER TABLE runs ADD COLUMN max_retries INTEGER"),
        )
    },
)
RECORDS = sa.Table(
    "run_records",
    SCHEMA,
    sa.Column("run_id", sa.String, primary_key=True),
    sa.Column("key", sa.String, primary_key=True),
    sa.Column("record", sa.Text, nullable=False),
)
FEEDBACK = sa.Table(
    "run_feedback",
    SCHEMA,
    sa.Column("run_id", sa.String, primary_key=True),
    # "right" is a word of SQL.
    sa.Column("is_right", sa.Boolean, nullable=False),
    sa.Column("comment", sa.Text, nullable=False),
    sa.Column("given", sa.Float, nullable=False),
)
LABELS = sa.Table(
    "conversation_labels",
    SCHEMA,
    # What the checkpoints of the conversation are kept under: nobody else's has the same name.
    sa.Column("conversation", sa.String, primary_key=True),
    sa.Column("workspace", sa.String, nullable=False),
    sa.Column("owner", sa.String, nullable=False),
    sa.Column("title", sa.Text),
    sa.Column("pinned", sa.Boolean, nullable=False),
)


def text(given: str) -> str:
    """Text that every database takes: shells hand over any bytes, and PostgreSQL refuses what SQLite does not find."""
    return given.encode("utf-8", "replace").decode().replace("\0", "\ufffd")
