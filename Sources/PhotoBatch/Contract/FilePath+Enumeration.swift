import PhotoLibrary
import SystemPackage

extension [FilePath] {
  /// The paths for a message, in quotation marks: `'a.jpg', 'b.jpg' and 3 more`.
  var enumeration: String {
    let most = 5
    let names = prefix(most).map { "'\($0.displayed)'" }.joined(separator: ", ")
    return names + (count > most ? " and \(count - most) more" : "")
  }
}
