// SPDX-License-Identifier: Apache-2.0

/// Lines of other programs in the same log, without messages.
struct LogNoise {
  private static let modules: [StaticString] = [
    "app.worker", "app.orders.service", "django.request", "sqlalchemy.engine", "urllib3.pool",
    "app.billing.invoices", "celery.task",
  ]
  private static let classes: [StaticString] = [
    "c.e.shop.orders.OrderService", "o.s.web.servlet.DispatcherServlet", "c.zaxxer.hikari.pool",
    "c.e.shop.Application", "o.a.k.c.consumer.KafkaConsumer", "c.e.shop.cache.CacheWarmer",
  ]
  private static let levels: [StaticString] = ["INFO", "INFO", "INFO", "DEBUG", "WARN", "ERROR"]
  private static let paths: [StaticString] = [
    "/api/v1/orders", "/api/v1/users/me", "/static/app.bundle.js", "/healthz", "/ws",
    "/api/v1/search?q=W%20X&page=2",
  ]
  private static let frames: [StaticString] = [
    "com.example.shop.orders.OrderService.place(OrderService.java:",
    "org.springframework.web.servlet.FrameworkServlet.service(FrameworkServlet.java:",
    "java.base/java.util.concurrent.ThreadPoolExecutor.runWorker(ThreadPoolExecutor.java:",
    "com.fasterxml.jackson.databind.ObjectMapper._readValue(ObjectMapper.java:",
  ]

  /// The text from which sentences are taken.
  private let words: [UInt8]
  /// The remaining lines of a stack trace.
  private var trace = 0

  init(words: [UInt8]) { self.words = words }

  /// The next line, without its line end.
  mutating func append(at time: LogTime, to text: inout [UInt8], _ random: inout Random) {
    if trace > 0 {
      trace -= 1
      text.append("\tat ")
      pick(Self.frames, &text, &random)
      number(900, &text, &random)
      return text.append(")")
    }
    switch random.below(100) {
    case ..<28: python(time, &text, &random)
    case ..<56: java(time, &text, &random)
    case ..<72: record(time, &text, &random)
    case ..<82: console(&text, &random)
    case ..<88: system(time, &text, &random)
    case ..<93: access(time, &text, &random)
    case ..<95: failure(&text, &random)
    default: sentence(40 + random.below(80), &text, &random)
    }
  }

  private func python(_ time: LogTime, _ text: inout [UInt8], _ random: inout Random) {
    time.appendISO(0x20, 0x2C, to: &text)
    text.append(0x20)
    pick(Self.levels, &text, &random)
    text.append(" [")
    pick(Self.modules, &text, &random)
    text.append("] ")
    sentence(20 + random.below(60), &text, &random)
    // Now and then, a list of numbers that is not a message.
    if random.below(20) == 0 {
      text.append(" ids=[")
      number(99, &text, &random)
      text.append(", ")
      number(99_999, &text, &random)
      text.append(", ")
      number(99_999, &text, &random)
      text.append("]")
    }
    text.append(" in ")
    number(900, &text, &random)
    text.append(" ms")
  }

  private func java(_ time: LogTime, _ text: inout [UInt8], _ random: inout Random) {
    time.appendISO(0x20, 0x2E, to: &text)
    text.append("  ")
    pick(Self.levels, &text, &random)
    text.append(" 4711 --- [nio-8080-exec-")
    number(30, &text, &random)
    text.append("] ")
    pick(Self.classes, &text, &random)
    text.append(" : ")
    sentence(30 + random.below(70), &text, &random)
  }

  private func record(_ time: LogTime, _ text: inout [UInt8], _ random: inout Random) {
    text.append("{\"ts\":\"")
    time.appendISO(0x54, 0x2E, to: &text)
    text.append("Z\",\"level\":\"info\",\"logger\":\"http\",\"msg\":\"request done\",\"path\":\"")
    pick(Self.paths, &text, &random)
    text.append("\",\"status\":200,\"ms\":")
    number(900, &text, &random)
    if random.below(4) == 0 {
      text.append(",\"buckets\":[")
      number(50, &text, &random)
      text.append(",")
      number(50, &text, &random)
      text.append(",")
      number(50, &text, &random)
      text.append("]")
    } else {
      text.append(",\"tags\":[\"edge\",\"eu-1\"],\"user\":{\"id\":")
      number(99_999, &text, &random)
      text.append(",\"roles\":[]}")
    }
    text.append("}")
  }

  private func console(_ text: inout [UInt8], _ random: inout Random) {
    text.append("vendor.bundle.js:")
    number(9000, &text, &random)
    text.append(random.below(2) == 0 ? " [HMR] " : " Warning: ")
    sentence(30 + random.below(60), &text, &random)
    if random.below(4) == 0 { text.append(" (3) ['a', 'b', 'c']") }
  }

  private func system(_ time: LogTime, _ text: inout [UInt8], _ random: inout Random) {
    time.appendSyslog(to: &text)
    if random.below(2) == 0 {
      text.append(" host7 kernel: [")
      text.append(decimal: time.uptime / 1000)
      text.append(".482913] ")
    } else {
      text.append(" host7 sshd[")
      number(32_000, &text, &random)
      text.append("]: ")
    }
    sentence(30 + random.below(40), &text, &random)
  }

  private func access(_ time: LogTime, _ text: inout [UInt8], _ random: inout Random) {
    text.append("10.0.0.")
    number(254, &text, &random)
    text.append(" - - [")
    time.appendAccess(to: &text)
    text.append("] \"GET ")
    pick(Self.paths, &text, &random)
    text.append(" HTTP/1.1\" 200 ")
    number(99_999, &text, &random)
    text.append(" \"-\" \"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36\"")
  }

  private mutating func failure(_ text: inout [UInt8], _ random: inout Random) {
    text.append("java.lang.IllegalStateException: ")
    sentence(30 + random.below(40), &text, &random)
    trace = 6 + random.below(10)
  }

  private func sentence(_ count: Int, _ text: inout [UInt8], _ random: inout Random) {
    let start = random.below(words.count - count)
    text.append(contentsOf: words[start..<start + count])
  }

  private func number(_ bound: Int, _ text: inout [UInt8], _ random: inout Random) {
    text.append(decimal: UInt64(random.below(bound)))
  }

  private func pick(
    _ choices: [StaticString], _ text: inout [UInt8], _ random: inout Random
  ) {
    text.append(choices[random.below(choices.count)])
  }
}
