/// Why metadata could not be put into a finished file.
public enum MetadataError: Error, Hashable {
  case cannotRead
  case cannotWrite(String)
  /// The file is not laid out as its format says.
  case malformed(String)
  /// Changes of one file that touch the same bytes.
  case overlappingEdits
  /// What the policy denies is still there.
  case denied(String)

  public var message: String {
    switch self {
    case .cannotRead: "the finished file cannot be read again"
    case .cannotWrite(let detail): "metadata cannot be written: \(detail)"
    case .malformed(let detail): "the finished file is damaged: \(detail)"
    case .overlappingEdits: "two changes of the finished file overlap"
    case .denied(let what): "denied metadata is in the finished file: \(what)"
    }
  }
}
