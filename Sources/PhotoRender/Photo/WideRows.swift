import PhotoRecipes
import Vips

/// libvips keeps the same number of rows of every image in many places; of a wide one they are some
/// megabytes in each.
extension PhotoHeader {
  /// Bytes of a row above which fewer rows are computed at a time.
  private static let wideRow = 1 << 16

  var isWide: Bool { stored.width * bands * format.size > Self.wideRow }

  /// The most rows that are kept of a file that is read in runs of `together` rows.
  ///
  /// Four runs, and four times what libvips keeps.
  func cachedRows(together: Int) -> Int { 4 * (together + VipsRuntime.bufferedRows) }

  /// Prepares this process for rendering the photo, and no other one at the same time.
  ///
  /// Kernels that look around compute some rows again with shorter strips; two threads keep half as
  /// many.
  public func setStripRows() throws(RenderError) {
    let rows = isWide ? VipsRuntime.stripRows / 2 : VipsRuntime.stripRows
    do throws(VipsError) { try VipsRuntime.setStripRows(rows) } catch { throw RenderError(error) }
  }
}
