import Codecs

/// The error of a write to a file that failed in this process.
///
/// An encoder that cannot write reports a text only. The error itself tells a full disk from a
/// damaged photo.
public enum WriteError {
  /// Records the error (errno) of a write that failed; a `Target` with a descriptor does so itself.
  public static func note(_ error: Int32) { phbatch_note_write_error(error) }

  /// Returns the last recorded error, and forgets it; nil if there is none.
  public static func take() -> Int32? {
    let error = phbatch_take_write_error()
    return error == 0 ? nil : error
  }
}
