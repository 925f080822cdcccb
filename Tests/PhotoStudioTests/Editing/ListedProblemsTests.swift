import Testing

@testable import PhotoStudio

@Suite struct ListedProblemsTests {
  @Test func allEntriesAreCountedAndTheFirstTwentyAreListed() {
    var failures = ListedProblems()
    for number in 0..<25 { failures.add("\(number)") }
    #expect(failures.count == 25)
    #expect(failures.lines == (0..<20).map { "\($0)" } + ["and 5 other photos"])
    var warnings = ListedProblems(of: "warning")
    for number in 0..<21 { warnings.add("\(number)") }
    #expect(warnings.lines.last == "and 1 other warning")
  }
}
