import PhotoLibrary
import SystemPackage

extension [FilePath] {
  /// The paths as text for a message, at most five in quotation marks and the number of the others:
  /// `'a.jpg', 'b.jpg' and 3 more`.
  var enumeration: String {
    let most = 5
    let names = prefix(most).map { "'\($0.displayed)'" }.joined(separator: ", ")
    return names + (count > most ? " and \(count - most) more" : "")
  }
}
