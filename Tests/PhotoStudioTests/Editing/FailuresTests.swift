import Testing

@testable import PhotoStudio

@Suite struct FailuresTests {
  @Test func allFailuresAreCountedAndTheFirstTwentyAreListed() {
    var failures = Failures()
    for number in 0..<25 { failures.add("\(number)") }
    #expect(failures.count == 25)
    #expect(failures.lines == (0..<20).map { "\($0)" })
  }
}
