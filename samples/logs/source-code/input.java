
        first.setMessageListener(new MessageListener() {
            @Override
            public void onMessage(Message message) {
            }
        });
        second.setMessageListener(new MessageListener() {
            @Override
            public void onMessage(Message message) {
            }
        });
        log.info("Received Frame: {}", answer);
        log.info("Received Frame: {}", refusal.getBody());
        log.info("Received Frame: {}", again);
