    b = a.copy()
    del a["id"]
    del b["id"]
    assert a == b
