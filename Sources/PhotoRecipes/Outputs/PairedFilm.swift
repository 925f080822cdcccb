/// The names of the film that belongs to a rendition of a Live Photo.
///
/// The film is a rendition of its own, `OUTPUT film`, in a file beside that of the photo. Names of
/// outputs contain no spaces.
public enum PairedFilm {
  /// The name by which sidecars list the film of a Live Photo among the files that an edit read.
  public static let source = "the film of the Live Photo"

  /// The extension of the film's file, without a dot.
  public static let fileExtension = MOVFormat.fileExtension

  private static let suffix = " film"

  /// The name of the rendition that is the film of an output.
  public static func name(of output: String) -> String { output + suffix }

  /// The name of the output to which a film belongs; nil if the rendition is not a film of a Live
  /// Photo.
  public static func output(of rendition: String) -> String? {
    rendition.hasSuffix(suffix) ? String(rendition.dropLast(suffix.count)) : nil
  }
}
