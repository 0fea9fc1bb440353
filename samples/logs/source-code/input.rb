      [nil, "P2Y3MT4.55S",  2.years + 3.months + (4.55).seconds ],
      [1,   "P2Y3MT4.6S",   2.years + 3.months + (4.55).seconds ],
      [2,   "P2Y3MT4.55S",  2.years + 3.months + (4.55).seconds ],
      [3,   "P2Y3MT4.550S", 2.years + 3.months + (4.55).seconds ],
      [1,   "PT2.5S",       (2.5).seconds                       ],
      [5,   "PT2.50000S",   (2.5).seconds                       ],
    ].each do |precision, text, duration|
