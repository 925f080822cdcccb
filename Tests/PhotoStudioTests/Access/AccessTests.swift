import Testing

@testable import PhotoStudio

@Suite struct AccessTests {
  private let access = Access()

  private func request(
    _ method: String = "GET", _ path: String = "/api/session", host: String = "127.0.0.1:8000",
    _ fields: [String: String] = [:]
  ) throws -> HTTPRequest {
    let more = fields.map { "\r\n\($0): \($1)" }.joined()
    return try HTTPRequest(
      head: Array("\(method) \(path) HTTP/1.1\r\nHost: \(host)\(more)".utf8)[...])
  }

  private var key: [String: String] { ["Authorization": "Bearer \(access.token)"] }

  @Test(arguments: ["127.0.0.1:8000", "127.0.0.1", "localhost:1", "[::1]:80", "LOCALHOST"])
  func requestsToLoopbackHostNamesAreAccepted(_ host: String) throws {
    #expect(try access.refusal(of: request(host: host, key), needsToken: true) == nil)
  }

  @Test(arguments: [
    "evil.example", "127.0.0.1.evil.example", "localhost.evil.example:80", "10.0.0.1", "",
    "127.0.0.1:x", "127.0.0.1:", "0.0.0.0:8000", "[::2]:80",
  ])
  func requestsToOtherHostNamesAreRefused(_ host: String) throws {
    #expect(try access.refusal(of: request(host: host, key), needsToken: true)?.status == 403)
  }

  @Test func requestsThatOtherSitesCauseAreRefused() throws {
    for site in ["cross-site", "same-site", "x"] {
      let fields = key.merging(["Sec-Fetch-Site": site]) { $1 }
      #expect(
        try access.refusal(of: request("GET", "/api/session", fields), needsToken: true)?.status
          == 403)
    }
    let link = ["Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"]
    #expect(try access.refusal(of: request("GET", "/", link), needsToken: false) == nil)
    #expect(
      try access.refusal(of: request("GET", "/main.js", link), needsToken: false)?.status == 403)
  }

  @Test(arguments: [
    "null", "http://127.0.0.1:8001", "http://evil.example", "https://127.0.0.1:8000", "",
  ])
  func requestsWithAnotherOriginAreRefused(_ origin: String) throws {
    let fields = key.merging(["Origin": origin]) { $1 }
    #expect(
      try access.refusal(of: request("POST", "/api/edit", fields), needsToken: true)?.status == 403)
    #expect(
      try access.refusal(of: request("POST", "/api/edit", key), needsToken: true)?.status == 403)
    let socket = ["Upgrade": "websocket", "Origin": origin]
    #expect(
      try access.refusal(of: request("GET", "/api/live", socket), needsToken: false)?.status == 403)
    #expect(
      try access.refusal(of: request("GET", "/api/session", fields), needsToken: true)?.status
        == 403)
    let own = key.merging(["Origin": "http://127.0.0.1:8000"]) { $1 }
    #expect(try access.refusal(of: request("GET", "/api/session", own), needsToken: true) == nil)
    #expect(try access.refusal(of: request("POST", "/api/edit", own), needsToken: true) == nil)
  }

  @Test func requestsForDataNeedTheAccessToken() throws {
    #expect(try access.refusal(of: request(), needsToken: true)?.status == 401)
    for text in [
      "", String(access.token.dropLast()), access.token + "0", access.token.uppercased() + "x",
    ] {
      let fields = ["Authorization": "Bearer \(text)"]
      #expect(
        try access.refusal(of: request("GET", "/api/session", fields), needsToken: true)?.status
          == 401)
    }
    #expect(access.token.count == 64)
    #expect(Access().token != access.token)
  }
}
