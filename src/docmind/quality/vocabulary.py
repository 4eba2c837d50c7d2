"""Words that say nothing by themselves, and words that are written in more than one way."""

FUNCTION_WORDS = frozenset({
    "a", "an", "the", "and", "or", "but", "if", "then", "so", "as", "of", "at", "by", "for", "with", "about", "to",
    "from", "in", "on", "into", "onto", "upon", "over", "under", "above", "below", "between", "among", "amongst",
    "against", "through", "throughout", "during", "before", "after", "since", "until", "till", "within", "without",
    "along", "across", "behind", "beyond", "near", "per", "via", "toward", "towards", "around", "off", "out", "up",
    "down", "again", "once", "is", "are", "was", "were", "be", "been", "being", "am", "do", "does", "did", "doing",
    "done", "have", "has", "had", "having", "will", "would", "can", "could", "should", "may", "might", "must",
    "shall", "cannot", "ought", "it", "its", "itself", "this", "that", "these", "those", "there", "here", "he",
    "she", "they", "them", "him", "his", "her", "hers", "their", "theirs", "our", "ours", "your", "yours", "my",
    "mine", "me", "we", "us", "you", "i", "himself", "herself", "themselves", "yourself", "ourselves", "myself",
    "who", "whom", "whose", "which", "what", "when", "where", "why", "how", "whether", "not", "no", "nor", "only",
    "than", "too", "very", "also", "just", "such", "own", "same", "other", "others", "another", "some", "any",
    "each", "every", "both", "either", "neither", "more", "most", "less", "least", "few", "fewer", "many", "much",
    "several", "all", "one", "ones", "none", "while", "although", "though", "because", "due", "despite", "instead",
    "rather", "unless", "whereas", "however", "therefore", "thus", "hence", "moreover", "furthermore",
    "additionally", "finally", "overall", "meanwhile", "nevertheless", "nonetheless", "otherwise", "consequently",
    "besides", "alternatively", "specifically", "particularly", "especially", "generally", "typically", "usually",
    "often", "sometimes", "always", "never", "still", "yet", "already", "even", "ever", "like", "etc", "eg", "ie",
    "include", "includes", "including", "included", "following", "various", "different", "certain", "don't",
    "doesn't", "didn't", "isn't", "aren't", "wasn't", "weren't", "won't", "can't", "couldn't", "shouldn't",
    "wouldn't", "hasn't", "haven't", "hadn't", "it's", "that's", "there's", "you're", "they're", "we're", "i'm",
    "he's", "she's", "let", "let's",
})  # fmt: skip
"""Whether evidence holds these tells nothing of whether it holds the claim; negations are compared elsewhere."""

DISCOURSE_WORDS = frozenset({
    "passage", "passages", "text", "article", "document", "documents", "context", "source", "sources", "excerpt",
    "excerpts", "information", "answer", "answers", "question", "questions", "summary", "summaries", "summarize",
    "summarizes", "summarized", "words", "word", "provided", "provide", "provides", "providing", "given", "give",
    "gives", "based", "according", "mention", "mentions", "mentioned", "mentioning", "state", "states", "stated",
    "note", "noted", "notes", "important", "unable", "sure", "step", "steps", "follow", "follows", "discuss",
    "discusses", "discussed", "describe", "describes", "described", "highlight", "highlights", "suggest",
    "suggests", "suggested", "indicate", "indicates", "indicated", "author", "piece", "brief", "example",
    "examples", "instance", "related", "refer", "refers", "referred", "regarding", "explain", "explains",
    "explained", "clear", "detail", "details", "specific", "next", "last", "lastly", "firstly", "secondly",
})  # fmt: skip
"""Words an answer speaks of itself and of its evidence with; they count only where the evidence uses them too."""

NUMBER_WORDS = {
    "zero": "0", "two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7", "eight": "8",
    "nine": "9", "ten": "10", "eleven": "11", "twelve": "12", "thirteen": "13", "fourteen": "14", "fifteen": "15",
    "sixteen": "16", "seventeen": "17", "eighteen": "18", "nineteen": "19", "twenty": "20", "thirty": "30",
    "forty": "40", "fifty": "50", "sixty": "60", "seventy": "70", "eighty": "80", "ninety": "90", "hundred": "100",
    "first": "1", "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7",
    "eighth": "8", "ninth": "9", "tenth": "10",
}  # fmt: skip

SHORT_FORMS = {
    "jan": "january", "feb": "february", "apr": "april", "jun": "june", "jul": "july", "aug": "august",
    "sep": "september", "sept": "september", "oct": "october", "nov": "november", "dec": "december",
    "tue": "tuesday", "tues": "tuesday", "thu": "thursday", "thur": "thursday", "thurs": "thursday", "fri": "friday",
}  # fmt: skip
"""Months and days cut short, but for those that are words of their own."""
