<?xml version="1.0" encoding="UTF-8"?>
<robot generator="Robot 7.5 (Python 3.11.7 on linux)" generated="2026-12-01T10:33:37.169897" rpa="false" schemaversion="5">
<suite id="s1" name="T" source="/tmp/rf/t.robot">
<test id="s1-t1" name="One" line="4">
<kw name="Talk" owner="Lib">
<msg time="2026-12-01T10:33:37.201247" level="TRACE">Arguments: [  ]</msg>
<msg time="2026-12-01T10:33:37.201343" level="DEBUG">sending [1, "realm1", {"roles": {"caller": {}, "subscriber": {}}}]</msg>
<msg time="2026-12-01T10:33:37.201384" level="DEBUG">received [2, 9129137332, {"roles": {"broker": {}, "dealer": {}}, "authid": "joe"}]</msg>
<msg time="2026-12-01T10:33:37.201415" level="DEBUG">sending [48, 1, {}, "com.shop.price", ["a&amp;b &lt;c&gt;"], {"sku": "A/1"}]</msg>
<msg time="2026-12-01T10:33:37.201449" level="DEBUG">received [50, 1, {}, [17.5]]</msg>
<msg time="2026-12-01T10:33:37.201470" level="DEBUG">sending [6, {}, "wamp.close.normal"]</msg>
<msg time="2026-12-01T10:33:37.201491" level="DEBUG">received [6, {}, "wamp.close.goodbye_and_out"]</msg>
<msg time="2026-12-01T10:33:37.201522" level="TRACE">Return: None</msg>
<status status="PASS" start="2026-12-01T10:33:37.201139" elapsed="0.000438"/>
</kw>
<status status="PASS" start="2026-12-01T10:33:37.200434" elapsed="0.001256"/>
</test>
<test id="s1-t2" name="Two" line="6">
<kw name="Talk Std" owner="Lib">
<msg time="2026-12-01T10:33:37.202139" level="TRACE">Arguments: [  ]</msg>
<msg time="2026-12-01T10:33:37.202307" level="DEBUG">sending [1, "realm1", {"roles": {"caller": {}, "subscriber": {}}}]</msg>
<msg time="2026-12-01T10:33:37.202369" level="DEBUG">received [2, 9129137332, {"roles": {"broker": {}, "dealer": {}}, "authid": "joe"}]</msg>
<msg time="2026-12-01T10:33:37.202417" level="DEBUG">sending [48, 1, {}, "com.shop.price", ["a&amp;b &lt;c&gt;"], {"sku": "A/1"}]</msg>
<msg time="2026-12-01T10:33:37.202461" level="DEBUG">received [50, 1, {}, [17.5]]</msg>
<msg time="2026-12-01T10:33:37.202589" level="DEBUG">sending [6, {}, "wamp.close.normal"]</msg>
<msg time="2026-12-01T10:33:37.202640" level="DEBUG">received [6, {}, "wamp.close.goodbye_and_out"]</msg>
<msg time="2026-12-01T10:33:37.202674" level="TRACE">Return: None</msg>
<status status="PASS" start="2026-12-01T10:33:37.202079" elapsed="0.000631"/>
</kw>
<status status="PASS" start="2026-12-01T10:33:37.201854" elapsed="0.000949"/>
</test>
<test id="s1-t3" name="Three" line="8">
<kw name="Talk Print" owner="Lib">
<msg time="2026-12-01T10:33:37.203252" level="TRACE">Arguments: [  ]</msg>
<msg time="2026-12-01T10:33:37.203343" level="INFO">TX [1, "realm1", {"roles": {"caller": {}, "subscriber": {}}}]
RX [2, 9129137332, {"roles": {"broker": {}, "dealer": {}}, "authid": "joe"}]
TX [48, 1, {}, "com.shop.price", ["a&amp;b &lt;c&gt;"], {"sku": "A/1"}]
RX [50, 1, {}, [17.5]]
TX [6, {}, "wamp.close.normal"]
RX [6, {}, "wamp.close.goodbye_and_out"]</msg>
<msg time="2026-12-01T10:33:37.203382" level="TRACE">Return: None</msg>
<status status="PASS" start="2026-12-01T10:33:37.203168" elapsed="0.000244"/>
</kw>
<status status="PASS" start="2026-12-01T10:33:37.202944" elapsed="0.000628"/>
</test>
<status status="PASS" start="2026-12-01T10:33:37.170939" elapsed="0.032954"/>
</suite>
<statistics>
<total>
<stat pass="3" fail="0" skip="0">All Tests</stat>
</total>
<tag>
</tag>
<suite>
<stat name="T" id="s1" pass="3" fail="0" skip="0">T</stat>
</suite>
</statistics>
<errors>
</errors>
</robot>
