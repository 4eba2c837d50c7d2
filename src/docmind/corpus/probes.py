"""Questions each with a passage that answers it, to see where an unknown embedder's cosines lie."""

PROBES: tuple[tuple[str, str], ...] = (
    (
        "How long does the battery of the handheld scanner last?",
        "A fully charged scanner runs for about eleven hours in normal use; below ten percent the display turns amber.",
    ),
    (
        "What was the net profit in the last fiscal year?",
        "Net profit for fiscal 2022 came to EUR 14.2 million, up from EUR 12.9 million a year earlier.",
    ),
    (
        "Who approves travel above the daily allowance?",
        "Expenses beyond the daily allowance need the written consent of the head of department before the journey.",
    ),
    (
        "Can the pump be run dry?",
        "Never operate the pump without liquid: the mechanical seal overheats within seconds and the warranty is void.",
    ),
    (
        "Which vaccines are recommended for travellers to the tropics?",
        "Travellers to tropical regions should be vaccinated against hepatitis A, typhoid and yellow fever.",
    ),
    (
        "What is the notice period for ending the lease?",
        "Either party may terminate this lease at the end of a quarter by giving six months' notice in writing.",
    ),
    (
        "How do I reset my password?",
        "Choose 'Forgot password' on the sign-in page; a link to set a new one arrives by e-mail within minutes.",
    ),
    (
        "Why did the bridge need to be closed?",
        "Inspectors found fatigue cracks in two hangers, and the crossing was shut until they had been replaced.",
    ),
    (
        "What temperature must frozen fish be stored at?",
        "Frozen fishery products are kept at minus eighteen degrees or colder throughout the cold chain.",
    ),
    (
        "When was the cathedral's tower finished?",
        "The north tower, begun in 1248, was not completed until the autumn of 1517.",
    ),
    (
        "How many employees does the logistics division have?",
        "At the end of March the logistics division employed 1,340 people, 62 of them apprentices.",
    ),
    (
        "Does coffee raise blood pressure?",
        "In people who rarely drink it, a cup of coffee raised systolic pressure by a few points for three hours.",
    ),
    (
        "How is the discount for annual plans calculated?",
        "Customers who pay for a year in advance are charged ten months instead of twelve.",
    ),
    (
        "What does error code E14 mean?",
        "E14 appears when the drum lock has not engaged; open the door, remove what blocks the latch and try again.",
    ),
    (
        "Which licence is the software published under?",
        "The source code may be used, changed and passed on under the terms of the Mozilla Public License 2.0.",
    ),
    (
        "What are the main risks of the expansion to Poland?",
        "The board sees three dangers in the Polish venture: late permits, too few welders, and currency swings.",
    ),
    (
        "How do bees find their way back to the hive?",
        "Foraging bees steer by the sun and by landmarks they have memorised during short orientation flights.",
    ),
    (
        "Is personal data passed on to third parties?",
        "We share personal information with service providers only as far as they need it to deliver the order.",
    ),
    (
        "How often must the fire extinguishers be inspected?",
        "Portable extinguishers are checked by a qualified person every two years and the date is noted on the tag.",
    ),
    (
        "Which team won the final in extra time?",
        "After ninety goalless minutes the visitors scored twice in extra time and lifted the cup.",
    ),
    (
        "What share of electricity came from wind?",
        "Wind turbines supplied 31 percent of the power fed into the grid last year, more than any other source.",
    ),
    (
        "How should the wound be cleaned?",
        "Rinse the cut under running water, dab it dry with sterile gauze and cover it with a plaster.",
    ),
    (
        "What is the penalty for late delivery?",
        "For each full week of delay the supplier owes half a percent of the order value, at most five percent.",
    ),
    (
        "How is the dough kept from sticking?",
        "Dust the board with rice flour and chill the dough for twenty minutes before rolling it out.",
    ),
)
