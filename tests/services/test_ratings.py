"""Thumbs, and the suggestion that comes of them."""

from __future__ import annotations

from app.core.run.messages import user_message
from app.services.container import Services


async def test_a_mode_rated_higher_for_such_questions_is_suggested(services: Services) -> None:
    session = await services.sessions.create("travel")
    ratings = services.ratings
    for number in range(3):
        id = f"m{number}"
        await services.sessions.add(session.id, user_message(id, "推荐西湖附近的景点", created=1.0))
        await ratings.rate(id, 1, agent="travel", mode="react", query="推荐西湖附近的景点")
        assert bool(await ratings.better_mode("travel", "推荐灵隐寺附近的餐厅", "plan")) == (number == 2)
    assert await ratings.better_mode("travel", "推荐灵隐寺附近的餐厅", "react") == ""
    assert await ratings.better_mode("travel", "规划杭州三日行程", "plan") == "", "another kind of question"
    assert await ratings.better_mode("assistant", "推荐灵隐寺附近的餐厅", "plan") == "", "another agent"
    assert await ratings.of_session(session.id) == {"m0": 1, "m1": 1, "m2": 1}

    await ratings.rate("m0", 0, agent="travel", mode="react", query="")
    assert await ratings.better_mode("travel", "推荐灵隐寺附近的餐厅", "plan") == ""
    await ratings.reset()
    assert await ratings.of_session(session.id) == {}
