import Foundation
import PhotoLibrary
import SystemPackage
import Testing

@testable import PhotoStudio

struct PageErrorTests {
  @Test(arguments: [Errno.noSpace, .diskQuotaExceeded, .readOnlyFileSystem, .permissionDenied])
  func aFailedWriteSaysHowToSaveAgain(_ errno: Errno) {
    let stated = PageError(FileSystemError(.write, "recipe.json", errno))
    #expect(stated.message.contains("'recipe.json'"))
    #expect(stated.hint.hasSuffix("then try again; unsaved changes stay in this page"))
    #expect(!stated.hint.contains("--"))
  }

  @Test func otherErrorsKeepTheirHints() {
    let stated = PageError(Refusal(409, "a run is in progress", hint: "wait for its end"))
    #expect(stated.message == "a run is in progress")
    #expect(stated.hint == "wait for its end")
    #expect(PageError(CancellationError()).hint.isEmpty)
  }
}
