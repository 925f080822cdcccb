import Testing

@testable import PhotoStudio

@Suite struct HTTPRequestTests {
  private func request(_ lines: String...) throws(HTTPProblem) -> HTTPRequest {
    try HTTPRequest(head: Array(lines.joined(separator: "\r\n").utf8)[...])
  }

  @Test func anHTTPRequestIsParsed() throws {
    let read = try request(
      "GET /api/photos?after=500&q=a%20b HTTP/1.1", "Host: 127.0.0.1:8000",
      "Content-Length: 12", "X-Empty:", "Accept:  */* ")
    #expect(read.method == "GET")
    #expect(read.path == "/api/photos")
    #expect(read.query == ["after": "500", "q": "a b"])
    #expect(read.fields["accept"] == "*/*")
    #expect(read.fields["x-empty"] == "")
    #expect(try read.bodySize() == 12)
  }

  @Test(arguments: [
    "GET /", "GET  / HTTP/1.1", "GET / HTTP/1.1 x", "GET http://x/ HTTP/1.1", "GET * HTTP/1.1",
    "G(T / HTTP/1.1", "GET /%2e%2e/etc HTTP/1.1", "GET /\u{e9} HTTP/1.1", "", " / HTTP/1.1",
  ])
  func aMalformedRequestLineIsRefused(_ line: String) {
    #expect(throws: HTTPProblem.malformed) { try request(line, "Host: localhost") }
  }

  @Test(arguments: [
    "Host : x", ": x", "no colon", "Content-Length: 1\nX: y", " folded: x", "Host: second",
  ])
  func aMalformedHeaderFieldIsRefused(_ line: String) {
    #expect(throws: HTTPProblem.malformed) { try request("GET / HTTP/1.1", "Host: a", line) }
  }

  @Test func unsupportedMalformedAndLongRequestHeadsAreRefused() {
    #expect(throws: HTTPProblem.unsupportedVersion) { try request("GET / HTTP/1.0", "Host: a") }
    #expect(throws: HTTPProblem.unsupported) {
      try request("POST / HTTP/1.1", "Host: a", "Transfer-Encoding: chunked")
    }
    #expect(throws: HTTPProblem.malformed) { try request("GET / HTTP/1.1") }
    #expect(throws: HTTPProblem.headTooLong) {
      try request("GET / HTTP/1.1", "Host: a", "X: " + String(repeating: "x", count: 20_000))
    }
    #expect(throws: HTTPProblem.headTooLong) {
      let fields = (0..<80).map { "X\($0): y" }.joined(separator: "\r\n")
      return try request("GET / HTTP/1.1", "Host: a", fields)
    }
  }

  @Test(arguments: ["-1", "+1", "1e3", "", "99999999999999999999", "0x10", "1 2"])
  func aMalformedContentLengthIsRefused(_ text: String) throws {
    let read = try request("POST / HTTP/1.1", "Host: a", "Content-Length: \(text)")
    #expect(throws: HTTPProblem.malformed) { try read.bodySize() }
  }

  @Test func aTooLargeRequestBodyIsRefused() throws {
    let read = try request("POST / HTTP/1.1", "Host: a", "Content-Length: 1048577")
    #expect(throws: HTTPProblem.bodyTooLong) { try read.bodySize() }
  }
}
