"""The play companion's trade: what a parent sees in play, the interests it speaks of, and a safe game for tonight.

It is no treatment and makes no diagnosis. Two things stand before every model request (`guard`): a red flag is
answered by a fixed text, and names leave as stand-ins. The rules are pure modules: metrics, safety, privacy, search.
"""

from app.core.domain import Domain
from app.core.resources import domain_dir
from app.domains.kit.topic import TOPIC

from .guard import LAST_REQUEST, json_handed_in, names_of_the_child, red_flag_gate
from .memory import recall
from .tools.analysis import show_interests
from .tools.data import delete_child_data, export_child_data
from .tools.games import check_safety, list_game_plans, save_game_plan, show_game
from .tools.interest import compute_interest_metrics, record_observation
from .tools.knowledge import fetch_knowledge
from .tools.printing import print_game
from .tools.profile import get_child_profile, open_child_profile, save_child_profile
from .tools.progress import get_progress
from .tools.sessions import finish_session, log_event, review_session, start_session

TOOLS = (
    open_child_profile, save_child_profile, get_child_profile, record_observation, compute_interest_metrics,
    show_interests, fetch_knowledge, check_safety, save_game_plan, show_game, list_game_plans, print_game,
    start_session, log_event, finish_session, review_session, get_progress, export_child_data, delete_child_data,
)  # fmt: skip
DOMAIN = Domain(
    "play", TOOLS, domain_dir("play"), guards=(red_flag_gate,),
    unguarded=frozenset({"save_child_profile"}), slots=(TOPIC,), scrub=names_of_the_child,
    hand_in=json_handed_in, last_request=LAST_REQUEST, recall=recall,
    most_calls={"fetch_memory": 2, "fetch_knowledge": 2},
)  # fmt: skip

__all__ = ["DOMAIN", "TOOLS"]
