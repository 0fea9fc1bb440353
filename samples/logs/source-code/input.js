	let rows = answer["rows"];
	rows.sort(function(a, b) { return (a["date"] < b["date"]) ? 1 : ((b["date"] < a["date"]) ? -1 : 0); });
	console.debug("Got rows:", rows);
