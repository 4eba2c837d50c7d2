"""A table of fictional health facilities in real cities, with places whose names are shared on purpose.

Telephone numbers come from ranges that regulators keep free for fiction: 555-01xx in North America, Ofcom's, the
Bundesnetzagentur's, ARCEP's and ComReg's numbers for drama use.
"""

import csv
from collections.abc import Iterator
from dataclasses import dataclass
from io import StringIO

COLUMNS = (
    "id", "name", "kind", "services", "address", "city", "region", "postcode", "country",
    "latitude", "longitude", "phone", "opening_hours",
)  # fmt: skip

_ALWAYS = "24/7"
_WEEK = "Mo-Fr 08:00-18:00"
_SATURDAY = "Mo-Fr 08:00-18:00; Sa 09:00-13:00"
_LATE = "Mo-Fr 07:30-20:00; Sa 09:00-16:00"
_DAILY = "Mo-Sa 08:00-21:00; Su 10:00-18:00"
_SUNDAY = "Mo-Fr 08:30-17:30; Sa-Su 09:00-12:00"
_EARLY = "Mo-Fr 07:00-15:30"

_JAB_CENTRE = "vaccination centre"
_GENERAL = "general practice;vaccination;blood test"
_EMERGENCY = "emergency;surgery;maternity;imaging"
_DISPENSARY = "prescriptions;advice"
_JABS = "prescriptions;vaccination;flu jab"
_ANALYSES = "blood test;allergy test"
_TEETH = "check-up;orthodontics"
_VACCINES = "vaccination;travel vaccination;flu jab"
_BONES = "physiotherapy;sports medicine"


@dataclass(frozen=True, slots=True)
class City:
    name: str
    region: str
    country: str
    latitude: float
    longitude: float
    phone: str
    """Pattern of a number reserved for fiction; `{n:02d}` is filled in."""
    facilities: tuple[tuple[str, str, str, str, str, str, float, float], ...]
    """Name, kind, services, address, postcode, opening hours, and offsets north and east in thousandths of a degree."""


CITIES = (
    City("Springfield", "Illinois", "United States", 39.7990, -89.6440, "+1 217-555-01{n:02d}", (
        ("Prairie Gate Hospital", "hospital", _EMERGENCY, "815 N Walnut St", "62702", _ALWAYS, 12, -9),
        ("Lincoln Row Clinic", "clinic", _GENERAL, "420 E Adams St", "62701", _SUNDAY, 2, -4),
        ("Bluestem Pharmacy", "pharmacy", _JABS, "1207 S MacArthur Blvd", "62704", _DAILY, -13, -25),
        ("Capital Bloodworks", "laboratory", _ANALYSES, "611 W Jefferson St", "62702", _EARLY, 4, -16),
        ("Pebble Ridge Dental", "dental practice", _TEETH, "2330 Wabash Ave", "62704", _WEEK, -34, -52),
        ("Bluestem Vaccination Centre", _JAB_CENTRE, _VACCINES, "500 S 9th St", "62701", _SUNDAY, -3, 2),
    )),
    City("Springfield", "Massachusetts", "United States", 42.1015, -72.5898, "+1 413-555-01{n:02d}", (
        ("Elm Terrace Hospital", "hospital", _EMERGENCY, "760 Chestnut St", "01107", _ALWAYS, 19, -11),
        ("Mallow Street Clinic", "clinic", _GENERAL, "388 Sumner Ave", "01108", _WEEK, -24, 17),
        ("Armory Street Pharmacy", "pharmacy", _JABS, "144 Armory St", "01105", _LATE, 8, 6),
        ("Connecticut River Laboratory", "laboratory", _ANALYSES, "91 Main St", "01105", _EARLY, -9, 4),
        ("Quadrangle Vaccination Centre", _JAB_CENTRE, _VACCINES, "37 State St", "01103", _SATURDAY, 2, 3),
        ("Mill River Physiotherapy", "physiotherapy", _BONES, "212 Locust St", "01108", _WEEK, -12, 8),
    )),
    City("Springfield", "Missouri", "United States", 37.2090, -93.2923, "+1 417-555-01{n:02d}", (
        ("Limestone Ridge Clinic", "clinic", _GENERAL, "1530 E Sunshine St", "65804", _SATURDAY, -27, 21),
        ("Milestone Pharmacy", "pharmacy", _DISPENSARY, "305 W College St", "65806", _LATE, 1, -3),
    )),
    City("Boston", "Massachusetts", "United States", 42.3601, -71.0589, "+1 617-555-01{n:02d}", (
        ("Harborlight Hospital", "hospital", _EMERGENCY, "240 Cambridge St", "02114", _ALWAYS, 1, -9),
        ("Tidewater Family Clinic", "clinic", _GENERAL, "318 Newbury St", "02115", _LATE, -11, -27),
        ("Beacon Night Pharmacy", "pharmacy", _JABS, "59 Charles St", "02114", _ALWAYS, -1, -12),
        ("Saltmarsh Laboratory", "laboratory", _ANALYSES, "12 Farnsworth St", "02210", _EARLY, -9, 11),
        ("Gull Wharf Dental", "dental practice", _TEETH, "270 Congress St", "02210", _SATURDAY, -8, 8),
    )),
    City("Cambridge", "Massachusetts", "United States", 42.3736, -71.1097, "+1 857-555-01{n:02d}", (
        ("Larch Square Clinic", "clinic", _GENERAL, "1290 Cambridge St", "02139", _WEEK, 0, 9),
        ("Larch Square Vaccination Centre", _JAB_CENTRE, _VACCINES, "1815 Massachusetts Ave", "02140", _SUNDAY, 14, -8),
        ("Tin Lantern Pharmacy", "pharmacy", _DISPENSARY, "350 Main St", "02142", _LATE, -11, 24),
    )),
    City("Chicago", "Illinois", "United States", 41.8781, -87.6298, "+1 312-555-01{n:02d}", (
        ("Windmere Lake Hospital", "hospital", _EMERGENCY, "401 E Ontario St", "60611", _ALWAYS, 15, 13),
        ("Juniper Community Clinic", "clinic", _GENERAL, "1713 S Ashland Ave", "60608", _DAILY, -20, -36),
        ("Blue Heron Pharmacy", "pharmacy", _JABS, "1551 N Milwaukee Ave", "60622", _DAILY, 32, -45),
        ("Copperline Imaging", "laboratory", "imaging;blood test", "120 S Wabash Ave", "60603", _WEEK, 1, 4),
        ("Little Sparrow Clinic", "clinic", "paediatrics;vaccination", "4612 N Clark St", "60640", _WEEK, 87, -38),
    )),
    City("London", "England", "United Kingdom", 51.5072, -0.1276, "+44 20 7946 01{n:02d}", (
        ("Thamesbridge Hospital", "hospital", _EMERGENCY, "44 Lambeth Rd", "SE1 7PB", _ALWAYS, -9, 16),
        ("Heronsgate Surgery", "clinic", _GENERAL, "18 Jamestown Rd", "NW1 7BY", _WEEK, 32, -17),
        ("Nightjar Pharmacy", "pharmacy", _JABS, "7 Upper St", "N1 0PQ", _DAILY, 26, 22),
        ("Waypoint Travel Vaccines", _JAB_CENTRE, _VACCINES, "150 Euston Rd", "NW1 2AA", _SATURDAY, 22, -2),
        ("Heronsgate Pathology", "laboratory", _ANALYSES, "9 Upper Ground", "SE1 9LP", _EARLY, 0, 20),
        ("Anchor Lane Dental Rooms", "dental practice", _TEETH, "31 Creek Rd", "SE10 9SW", _WEEK, -26, 111),
    )),
    City("London", "Ontario", "Canada", 42.9849, -81.2453, "+1 519-555-01{n:02d}", (
        ("Antler Creek Hospital", "hospital", _EMERGENCY, "375 South St", "N6A 4G5", _ALWAYS, -10, 3),
        ("Maple Lantern Clinic", "clinic", _GENERAL, "147 Wortley Rd", "N6C 3P4", _SATURDAY, -15, -7),
        ("Two Rivers Pharmacy", "pharmacy", _JABS, "620 Richmond St", "N6A 3G6", _DAILY, 6, -4),
        ("Stonecrop Physiotherapy", "physiotherapy", _BONES, "88 Oxford St W", "N6H 1P9", _WEEK, 12, -14),
    )),
    City("Cambridge", "England", "United Kingdom", 52.2053, 0.1218, "+44 1632 9601{n:02d}", (
        ("Willowford Clinic", "clinic", _GENERAL, "52 Mill Rd", "CB1 2AS", _WEEK, -5, 16),
        ("Quince and Barley Pharmacy", "pharmacy", _JABS, "108 Mill Rd", "CB1 2BD", _SATURDAY, -6, 19),
        ("Reedbed Laboratory", "laboratory", _ANALYSES, "3 Cowley Rd", "CB4 0WS", _EARLY, 28, 29),
    )),
    City("Boston", "England", "United Kingdom", 52.9789, -0.0266, "+44 1632 9602{n:02d}", (
        ("Haven Bank Clinic", "clinic", _GENERAL, "21 Wide Bargate", "PE21 6SH", _WEEK, 3, 4),
        ("Stump Pharmacy", "pharmacy", _DISPENSARY, "6 Market Place", "PE21 6EE", _SATURDAY, 0, 1),
    )),
    City("Manchester", "England", "United Kingdom", 53.4808, -2.2426, "+44 161 496 01{n:02d}", (
        ("Irwell Hospital", "hospital", _EMERGENCY, "210 Oxford Rd", "M13 9WL", _ALWAYS, -18, 16),
        ("Shuttle Yard Surgery", "clinic", _GENERAL, "14 Jersey St", "M4 6JG", _LATE, 4, 15),
        ("Copper Kettle Pharmacy", "pharmacy", _JABS, "255 Deansgate", "M3 4EN", _DAILY, -5, -7),
        ("Bobbin Yard Dental", "dental practice", _TEETH, "40 Tib St", "M4 1LA", _WEEK, 3, 7),
    )),
    City("Dublin", "Leinster", "Ireland", 53.3498, -6.2603, "+353 20 911 01{n:02d}", (
        ("Liffeyside Hospital", "hospital", _EMERGENCY, "120 Parnell St", "D01 X2P3", _ALWAYS, 3, -6),
        ("Rowan Gate Practice", "clinic", _GENERAL, "33 Ranelagh Rd", "D06 K5T1", _WEEK, -23, 0),
        ("Silver Birch Pharmacy", "pharmacy", _JABS, "201 Rathmines Rd Lower", "D06 W8N4", _DAILY, -27, -4),
        ("Rowan Gate Vaccination Centre", _JAB_CENTRE, _VACCINES, "5 Mayor St Lower", "D01 C4E0", _SUNDAY, 0, 18),
    )),
    City("Berlin", "Berlin", "Germany", 52.5200, 13.4050, "+49 30 23125 1{n:02d}", (
        ("Klinikum Spreebogen", "hospital", _EMERGENCY, "Alt-Moabit 98", "10559", _ALWAYS, 6, -60),
        ("Praxis am Landwehrkanal", "clinic", _GENERAL, "Paul-Lincke-Ufer 20", "10999", _WEEK, -26, 22),
        ("Apotheke Weisse Linde", "pharmacy", _JABS, "Kastanienallee 61", "10119", _SATURDAY, 14, 3),
        ("Labor Morgenrot", "laboratory", _ANALYSES, "Boxhagener Str. 77", "10245", _EARLY, -9, 55),
        ("Impfzentrum Lindenfeld", _JAB_CENTRE, _VACCINES, "Tempelhofer Damm 130", "12099", _SUNDAY, -54, -20),
    )),
    City("Munich", "Bavaria", "Germany", 48.1374, 11.5755, "+49 89 99998 1{n:02d}", (
        ("Klinik Isarhang", "hospital", _EMERGENCY, "Ismaninger Str. 140", "81675", _ALWAYS, 8, 31),
        ("Zahnarzt Sendlinger Hof", "dental practice", _TEETH, "Lindwurmstr. 90", "80337", _WEEK, -9, -18),
        ("Bahnhof-Apotheke Sued", "pharmacy", _DISPENSARY, "Bayerstr. 35", "80335", _DAILY, 2, -20),
    )),
    City("Paris", "Ile-de-France", "France", 48.8566, 2.3522, "+33 1 99 00 01 {n:02d}", (
        ("Hopital des Deux Ponts", "hospital", _EMERGENCY, "60 rue de Charenton", "75012", _ALWAYS, -6, 20),
        ("Cabinet du Chevrefeuille", "clinic", _GENERAL, "82 boulevard Voltaire", "75011", _SATURDAY, 6, 23),
        ("Pharmacie des Trois Mouettes", "pharmacy", _JABS, "101 quai de Valmy", "75010", _DAILY, 17, 12),
        ("Centre de vaccination du Cadran", _JAB_CENTRE, _VACCINES, "28 avenue Reille", "75014", _WEEK, -33, -15),
    )),
    City("Lyon", "Auvergne-Rhone-Alpes", "France", 45.7640, 4.8357, "+33 4 65 71 01 {n:02d}", (
        ("Clinique des Deux Saules", "hospital", _EMERGENCY, "15 cours Charlemagne", "69002", _ALWAYS, -19, -10),
        ("Laboratoire du Tilleul", "laboratory", _ANALYSES, "44 rue Tete d'Or", "69006", _EARLY, 5, 16),
    )),
)  # fmt: skip


def table() -> bytes:
    """The facilities as CSV with Unix line ends."""
    target = StringIO()
    writer = csv.writer(target, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_rows())
    return target.getvalue().encode()


def _rows() -> Iterator[tuple[str, ...]]:
    number = 0
    for city in CITIES:
        for place, facility in enumerate(city.facilities, 1):
            number += 1
            name, kind, services, address, postcode, hours, north, east = facility
            latitude = f"{city.latitude + north / 1000:.4f}"
            longitude = f"{city.longitude + east / 1000:.4f}"
            phone = city.phone.format(n=10 + place)
            yield (
                f"F{number:03d}", name, kind, services, address, city.name, city.region, postcode, city.country,
                latitude, longitude, phone, hours,
            )  # fmt: skip
