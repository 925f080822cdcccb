import PhotoLibrary
public import SystemPackage

/// A file that a run will write, replace or remove.
public struct PlannedFile: Sendable, Hashable {
  public enum Change: String, Sendable, Hashable, CaseIterable {
    case write, replace, remove
  }

  public let change: Change
  /// The path below the output root; nil if the name depends on the finished rendition.
  public let path: FilePath?
  /// The name of the output; nil for the sidecar.
  public var output: String?
  /// The path template of a rendition whose name is not known yet; nil if it is known.
  public var template: String?
  /// True if the output is left out of small photos.
  public var isConditional = false

  init(_ change: Change, _ path: FilePath?, output: String? = nil) {
    self.change = change
    self.path = path
    self.output = output
  }
}

extension PlannedFile: CustomStringConvertible {
  public var description: String {
    let name =
      switch (path, template) {
      case (let path?, let template?): "\(path.displayed) by \(template)"
      case (let path?, nil): path.displayed
      case (nil, let template): template ?? ""
      }
    return isConditional ? "\(name) (if the photo is large enough)" : name
  }
}

extension [PlannedFile] {
  /// The files as text, with one line for each kind of change.
  var lines: [String] {
    PlannedFile.Change.allCases.compactMap { change in
      let files = filter { $0.change == change }.map(\.description)
      return files.isEmpty ? nil : "\(change.rawValue)s \(files.joined(separator: ", "))"
    }
  }
}
