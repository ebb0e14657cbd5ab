"""What the scripted model says in the pictures of `tests.gallery`, in Chinese and in English."""

from __future__ import annotations

CALL = {"tool_calls": [{"name": "calculator", "arguments": {"expression": "36*12+58"}}]}
SUM = (CALL, {"content": "36 × 12 + 58 = **490**"})
TABLE_ZH = """三种走法比较如下：

| 方式 | 时间 | 票价 | 换乘 |
|---|---:|---:|---:|
| 高铁 | 4 小时 28 分 | 553 元 | 0 |
| 飞机 | 2 小时 15 分 | 890 元 | 0 |
| 客车 | 14 小时 | 310 元 | 1 |

- [x] 已查时刻表
- [ ] 还没有订座

```python
def fare(kilometres: float, per_kilometre: float = 0.46) -> float:
    \"\"\"二等座票价。\"\"\"
    return round(kilometres * per_kilometre, 1)
```
"""
TABLE = """Here is how the three ways compare:

| Way | Time | Price | Changes |
|---|---:|---:|---:|
| Train | 4 h 28 min | 553 CNY | 0 |
| Flight | 2 h 15 min | 890 CNY | 0 |
| Bus | 14 h | 310 CNY | 1 |

- [x] timetable looked up
- [ ] seats reserved

```python
def fare(kilometres: float, per_kilometre: float = 0.46) -> float:
    \"\"\"The price of a second-class seat.\"\"\"
    return round(kilometres * per_kilometre, 1)
```
"""

ROUNDS_EN = (
    {"tool_calls": [{"name": "get_city_info", "arguments": {"city": "Hangzhou"}}]},
    {
        "content": "Opening hours and tickets of the sights are missing.",
        "tool_calls": [{"name": "query_attractions", "arguments": {"cities": ["Hangzhou"], "limit": 5}}],
    },
    {"content": "**3–4 days** suit Hangzhou, best in spring and autumn. West Lake is free, Lingyin Temple is not."},
)
ROUNDS = (
    {"tool_calls": [{"name": "get_city_info", "arguments": {"city": "杭州"}}]},
    {
        "content": "还缺景点的开放时间和门票。",
        "tool_calls": [{"name": "query_attractions", "arguments": {"cities": ["杭州"], "limit": 5}}],
    },
    {"content": "杭州适合 **3–4 天**，最佳季节是春秋。西湖免费，灵隐寺需要门票。"},
)
RUNNING = (ROUNDS[0], {**ROUNDS[1], "delay": 4}, ROUNDS[2])
RUNNING_EN = (ROUNDS_EN[0], {**ROUNDS_EN[1], "delay": 4}, ROUNDS_EN[2])
