"""Questions as people ask them of manuals, policies, board papers and annual reports, taken apart by structure."""

import pytest

from docmind.skills.decompose import by_structure

ONE_THING = [
    ("How do I configure authentication?", "configuration"),
    ("How do I set up two-factor login for administrators?", "configuration"),
    ("How can I install the agent on a host without internet access?", "configuration"),
    ("What is a retention lock?", "definition"),
    ("What is Kestrel?", "definition"),
    ('Define "material breach".', "definition"),
    ("How to descale the boiler?", "procedure"),
    ("How do I back up and restore the catalogue?", "procedure"),
    ("What are the steps to file a claim?", "procedure"),
    ("What is the maximum upload size?", "quantity"),
    ("How long is the probation period for interns in Germany?", "quantity"),
    ("How many days of leave do contractors get after 5 years of service?", "quantity"),
    ("Do you know how many sites Orion closed in 2022?", "quantity"),
    ("What percentage of Orion's revenue came from services in Q3 2023?", "quantity"),
    ("When does the maintenance window begin?", "date"),
    ("In which year was the gross margin higher?", "date"),
    ("Could you please tell me when the lease expires?", "date"),
    ("Can I run the dryer without a filter?", "yes_no"),
    ("Does the HX-200 support firmware rollback?", "yes_no"),
    ("May suppliers be paid within 10 days, unless the contract says otherwise?", "yes_no"),
    ("Our server runs version 4.2. Can we upgrade it directly to 5.0?", "yes_no"),
    ("What are the supported file formats?", "list"),
    ("List the error codes of the HX-200.", "list"),
    ("Which policies apply only to subsidiaries outside the EU?", "list"),
    ("Why does the pump stop after ten minutes?", "cause"),
    ("What were the main drivers of Orion's net income in Q2 2023?", "cause"),
    ("Why did revenue rise by 14% from 2018 to 2019?", "cause"),
    ("Where are the audit logs stored?", "lookup"),
    ("Which version of TLS does the gateway use?", "lookup"),
    ("What happens if the tank is empty?", "lookup"),
    ("travel expenses policy", "lookup"),
    ("WHAT IS THE NOTICE PERIOD FOR CONTRACTORS?", "lookup"),
    ("How and why do I rotate certificates?", "lookup"),
    ("What is the recommended and supported storage engine?", "lookup"),
    ("What is the relationship between Orion and Vega?", "lookup"),
    ("How do I install the agent when the host is offline and the proxy is disabled?", "configuration"),
    ("Which contracts that were signed in 2021 and which expire in June are renewed?", "list"),
    ("How much does Orion spend on Research and Development?", "quantity"),
    ("What was the average dividend yield from 2015 to 2020?", "quantity"),
    ("What significant changes, if any, did Orion disclose in its latest 10-Q?", "lookup"),
    ("Who chairs the Audit and Risk Committee?", "lookup"),
    ("Nice work! Do you know when and where the meeting is held?", "date"),
    ("Which office does the company have in Atlanta, Georgia?", "lookup"),
]

SEVERAL_THINGS = [
    ("What is EBS and how do I encrypt it?", ["What is EBS?", "How do I encrypt EBS?"]),
    (
        "How do I create a key policy and how do I attach it to a role?",
        ["How do I create a key policy?", "How do I attach the key policy to a role?"],
    ),
    (
        "What is the HX-200, how much does it weigh and where is it made?",
        ["What is the HX-200?", "How much does the HX-200 weigh?", "Where is the HX-200 made?"],
    ),
    (
        "Does the warranty cover water damage and does it apply abroad?",
        ["Does the warranty cover water damage?", "Does the warranty apply abroad?"],
    ),
    ("Is the sensor waterproof? How deep can it go?", ["Is the sensor waterproof?", "How deep can the sensor go?"]),
    (
        "If the power fails, what happens to the queue and how do I recover it?",
        ["If the power fails, what happens to the queue?", "If the power fails, how do I recover the queue?"],
    ),
    (
        "In Kestrel Cloud, what is the default quota and who can raise it?",
        ["In Kestrel Cloud, what is the default quota?", "In Kestrel Cloud, who can raise the default quota?"],
    ),
    (
        "What happens if I exceed the limit, and how do I raise the limit?",
        ["What happens if I exceed the limit?", "How do I raise the limit?"],
    ),
    (
        "Please explain the approval process and describe who signs at each step.",
        ["Explain the approval process", "Describe who signs at each step"],
    ),
    (
        "I want to know what the travel policy is and who approves exceptions.",
        ["I want to know what the travel policy is", "Who approves exceptions?"],
    ),
    (
        "What is the notice period in Austria and how is it calculated?",
        ["What is the notice period in Austria?", "How is the notice period calculated (Austria)?"],
    ),
    (
        "Who approves travel above 2,000 euros, and who books it?",
        ["Who approves travel above 2,000 euros?", "Who books travel?"],
    ),
    (
        "What was Orion's capital expenditure in FY2023, and which projects were funded?",
        ["What was Orion's capital expenditure in FY2023?", "Which projects were funded (Orion, FY2023)?"],
    ),
    (
        "Has Orion bought back shares in Q3 2023, and what was the volume of these purchases?",
        [
            "Has Orion bought back shares in Q3 2023?",
            "What was the volume of these purchases (Orion bought back shares in Q3 2023)?",
        ],
    ),
    (
        "What legal proceedings did Orion disclose, and how might they affect its results?",
        ["What legal proceedings did Orion disclose?", "How might the legal proceedings affect its results (Orion)?"],
    ),
    (
        "Was there a change in Orion's tax rate in 2023? If so, what caused this change?",
        [
            "Was there a change in Orion's tax rate in 2023?",
            "What caused this change (the change in Orion's tax rate in 2023)?",
        ],
    ),
    (
        "Summarize the risk factors of Orion and describe how they changed since 2021.",
        ["Summarize the risk factors of Orion", "Describe how the risk factors of Orion changed since 2021"],
    ),
    (
        "How have Orion's inventory levels changed, and what does this say about their supply chain?",
        [
            "How have Orion's inventory levels changed?",
            "What does Orion's inventory levels say about Orion's supply chain?",
        ],
    ),
    (
        "In the first quarter of 2023, how much did Orion spend on research, and what was the focus of this spending?",
        [
            "In the first quarter of 2023, how much did Orion spend on research?",
            "In the first quarter of 2023, what was the focus of this spending (Orion spend on research)?",
        ],
    ),
    (
        "What is A1, what is B2, what is C3, what is D4 and what is E5?",
        ["What is A1?", "What is B2?", "What is C3?", "What is D4; what is E5?"],
    ),
]

COMPARED = [
    (
        "Compare the margins of Orion and Vega in 2022 and 2023.",
        [
            "Compare the margins of Orion in 2022",
            "Compare the margins of Orion in 2023",
            "Compare the margins of Vega in 2022",
            "Compare the margins of Vega in 2023",
        ],
    ),
    (
        "Compare the operating margins of Orion, Vega and Lyra in 2022 and 2023.",
        [
            "Compare the operating margins of Orion in 2022 and 2023",
            "Compare the operating margins of Vega in 2022 and 2023",
            "Compare the operating margins of Lyra in 2022 and 2023",
        ],
    ),
    (
        "What was the revenue of Orion, Vega, Lyra, Cygnus and Draco in 2023?",
        [
            "What was the revenue of Orion in 2023?",
            "What was the revenue of Vega in 2023?",
            "What was the revenue of Lyra in 2023?",
            "What was the revenue of Cygnus and Draco in 2023?",
        ],
    ),
    (
        "What was Orion's revenue in Q1 and Q2 2023?",
        ["What was Orion's revenue in Q1 2023?", "What was Orion's revenue in Q2 2023?"],
    ),
    (
        "What were Orion's and Vega's dividends?",
        ["What were Orion's dividends?", "What were Vega's dividends?"],
    ),
    (
        "What was the change in interest expense between 2021 and 2022?",
        ["What was the change in interest expense in 2021?", "What was the change in interest expense in 2022?"],
    ),
    (
        "What were net sales for fiscal years 2022 and 2023?",
        ["What were net sales for fiscal years 2022?", "What were net sales for fiscal 2023?"],
    ),
    (
        "What were current assets at June 30 and December 31, 2019?",
        ["What were current assets at June 30 2019?", "What were current assets at December 31, 2019?"],
    ),
    (
        "Which had the higher gross margin in 2023, Orion or Vega?",
        ["Which had the higher gross margin in 2023, Orion?", "Which had the higher gross margin in 2023, Vega?"],
    ),
    (
        "How does Orion's gross margin in Q1 2023 compare with Vega's in Q2 2023?",
        ["How does Orion's gross margin in Q1 2023 compare?", "How does Vega's gross margin in Q2 2023 compare?"],
    ),
    (
        "How does Orion's gross margin compare with Vega's in Q2 2023?",
        ["How does Orion's gross margin compare in Q2 2023?", "How does Vega's gross margin compare in Q2 2023?"],
    ),
    (
        "How does Orion's research spending in the latest quarter compare to previous quarters?",
        [
            "How does Orion's research spending in the latest quarter compare?",
            "How does Orion's research spending in previous quarters compare?",
        ],
    ),
    (
        "How much memory do kx1.large and kx1.xlarge have?",
        ["How much memory do kx1.large have?", "How much memory do kx1.xlarge have?"],
    ),
    (
        "What is the difference between a hot standby and a cold standby?",
        [
            "What is the difference between a hot standby and a cold standby?",
            "What is a hot standby?",
            "What is a cold standby?",
        ],
    ),
    (
        "What is the difference between gross and net margin?",
        ["What is the difference between gross and net margin?", "What is gross margin?", "What is net margin?"],
    ),
    (
        "What was the headcount of Orion and Vega in 2023, and why did it fall?",
        [
            "What was the headcount of Orion in 2023?",
            "What was the headcount of Vega in 2023?",
            "Why did the headcount of Orion fall (2023)?",
            "Why did the headcount of Vega fall (2023)?",
        ],
    ),
]


@pytest.mark.parametrize(("question", "intent"), ONE_THING)
def test_a_question_that_asks_one_thing_is_its_own_only_sub_query(question: str, intent: str) -> None:
    found = by_structure(question)
    assert (found.sub_queries, found.intent) == ([question], intent)


@pytest.mark.parametrize(("question", "expected"), SEVERAL_THINGS)
def test_each_thing_asked_becomes_a_query_that_makes_sense_alone(question: str, expected: list[str]) -> None:
    assert by_structure(question).sub_queries == expected


@pytest.mark.parametrize(("question", "expected"), COMPARED)
def test_things_and_times_named_side_by_side_are_searched_one_by_one(question: str, expected: list[str]) -> None:
    assert by_structure(question).sub_queries == expected


@pytest.mark.parametrize(
    ("question", "entities"),
    [
        ("Can I encrypt data in Amazon Forecast with keys of AWS KMS?", ["Amazon Forecast", "AWS KMS"]),
        (
            'What does clause 7.2 of supply-agreement.pdf say about "force majeure"?',
            ["supply-agreement.pdf", "force majeure"],
        ),
        ("What is Orion's R&D budget?", ["Orion", "R&D"]),
        ("Does the audit cover calls to runtime_InvokeEndpoint?", ["runtime_InvokeEndpoint"]),
        (
            "What is the default HealthCheckTimeout of kx1.large in eu-west-1?",
            ["HealthCheckTimeout", "kx1.large", "eu-west-1"],
        ),
        ("how do i move files from s3 to an ec2 host", ["s3", "ec2"]),
        ("Which follow-up checks and/or tests (e.g. audits) are part-time work?", []),
        ("Who audits Bank of America?", ["Bank of America"]),
        ("Requirements for upgrading to MySQL 8", ["MySQL"]),
        ("What did Orion report for Q3 2023 in May?", ["Orion"]),
        ("How much did ORCL (Oracle) spend?", ["ORCL", "Oracle"]),
        ("WHAT IS THE NOTICE PERIOD IN THE CONTRACT?", []),
        ("How do I reset my password?", []),
    ],
)
def test_names_are_found_as_written(question: str, entities: list[str]) -> None:
    assert by_structure(question).entities == entities


@pytest.mark.parametrize(
    ("question", "constraints"),
    [
        (
            "Which benefits apply for part-time employees in the EU, excluding interns?",
            ["for part-time employees", "in the EU", "excluding interns"],
        ),
        (
            "Which invoices over $5,000 must be approved by at least two managers?",
            ["over $5,000", "at least two managers"],
        ),
        ("Can I run the dryer without a filter?", ["without a filter"]),
        ("Which policies apply only to subsidiaries outside the EU?", ["only to subsidiaries outside the EU"]),
        ("What happens if the tank is empty and how do I refill it?", ["if the tank is empty"]),
        (
            "May suppliers be paid within 10 days, unless the contract says otherwise?",
            ["within 10 days", "unless the contract says otherwise"],
        ),
        (
            "Which contracts signed after June 2021 cost less than 10,000 euros?",
            ["after June 2021 cost", "less than 10,000 euros"],
        ),
        ("Is the service available in eu-west-1?", ["in eu-west-1"]),
        ("What is the only exit?", []),
        ("Did sales fall? If so, why?", []),
    ],
)
def test_what_narrows_a_question_is_found_as_written(question: str, constraints: list[str]) -> None:
    assert by_structure(question).constraints == constraints


@pytest.mark.parametrize(
    ("question", "temporals"),
    [
        ("What was Orion's revenue in Q1 and Q2 2023?", ["Q1", "Q2 2023"]),
        ("What were net sales in the three months ended July 1, 2023?", ["three months ended July 1, 2023"]),
        ("What was decided in March 2024?", ["March 2024"]),
        ("How did costs develop over the reported quarters?", ["the reported quarters"]),
        (
            "What changed in the latest 10-Q compared with the previous quarter?",
            ["the latest 10-Q", "the previous quarter"],
        ),
        ("How has churn changed over time?", ["over time"]),
        ("May I carry over leave?", []),
        ("How do I reset my password?", []),
    ],
)
def test_times_are_found_as_written(question: str, temporals: list[str]) -> None:
    assert by_structure(question).temporals == temporals
