import SystemCalls

/// The error of a write to a file that failed in this process.
///
/// An encoder that cannot write reports a text only. The error itself tells a full disk from a
/// damaged photo.
public enum WriteError {
  /// Records the error (errno) of a write to a file that failed; a `Target` with a descriptor, and
  /// the writer of films, do so themselves.
  public static func note(_ error: Int32, of descriptor: Int32) {
    phbatch_note_write_error(descriptor, error)
  }

  /// Returns the error that was recorded for a file, and forgets it; nil if there is none.
  public static func take(of descriptor: Int32) -> Int32? {
    let error = phbatch_take_write_error(descriptor)
    return error == 0 ? nil : error
  }
}
