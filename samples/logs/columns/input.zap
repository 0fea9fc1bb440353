Channel,Timestamp,Direction,Opcode,Payload
#1.0,20/11/26 23:34:50.123,→,1=TEXT,"[48,1,{},""com.user.get"",[123,""ü\""q\\\u0001""]]"
#1.1,20/11/26 23:34:50.123,←,1=TEXT,"[50,1,{},[{""karma"":9007199254740993,""name"":""日本""}]]"
