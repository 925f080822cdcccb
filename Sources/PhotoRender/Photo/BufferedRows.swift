import PhotoRecipes
import Vips

/// libvips keeps the same number of rows of every image in many places; of a wide one they are some
/// megabytes in each.
extension PhotoHeader {
  /// Bytes of a row above which fewer rows are kept.
  private static let wideRow = 1 << 16

  var isWide: Bool { stored.width * bands * format.size > Self.wideRow }

  /// Rows that libvips is to compute together.
  var bufferedRows: Int { isWide ? 64 : 128 }

  /// The most rows that are kept of a file that is read in runs of `together` rows.
  ///
  /// Four runs, and four times what is computed together.
  func cachedRows(together: Int) -> Int { 4 * (together + bufferedRows) }

  /// Prepares this process for rendering the photo, and no other one at the same time.
  public func setBufferedRows() throws(RenderError) {
    do throws(VipsError) { try VipsRuntime.setBufferedRows(bufferedRows) } catch {
      throw RenderError(error)
    }
  }
}
