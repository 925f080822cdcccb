import Vips

extension RenderError {
  /// Calls `body`, which writes to the files with these descriptors.
  ///
  /// - Throws: `unwritable` if a write failed, in place of the error of `body`.
  package static func writing<Result>(
    _ files: some Collection<Int32>, _ body: () throws(RenderError) -> Result
  ) throws(RenderError) -> Result {
    // Forgets errors of earlier calls.
    for file in files { _ = WriteError.take(of: file) }
    do throws(RenderError) { return try body() } catch {
      for file in files {
        if let failure = WriteError.take(of: file) { throw .unwritable(failure) }
      }
      throw error
    }
  }
}
