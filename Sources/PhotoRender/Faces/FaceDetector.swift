import FaceDetection
public import Notation
import PhotoRecipes

/// The library that detects faces, which is linked if it is installed when phbatch is built.
public enum FaceDetector {
  /// The longer edge, in pixels, of the copy of a photo in which faces are detected.
  ///
  /// The library detects faces from about 75 pixels on: 8 % of this edge.
  static let edge = 960
  /// The maximum number of faces of one photo.
  private static let most = 64

  /// The name and the version of the library; nil if phbatch was built without it.
  public static var library: String? {
    unsafe phbatch_face_library().map { unsafe String(cString: $0) }
  }

  /// Detects the faces in a picture, the most certain first; nil if there is no library.
  ///
  /// `grey` has one byte for each pixel, in rows from the top.
  static func faces(in grey: [UInt8], _ size: Size) -> [Face]? {
    let found = unsafe [PhFace](unsafeUninitializedCapacity: most) { buffer, count in
      let found = unsafe phbatch_detect_faces(
        grey, Int32(size.width), Int32(size.height), buffer.baseAddress, Int32(most))
      count = max(0, Int(found))
    }
    if library == nil { return nil }
    let (width, height) = (Double(size.width), Double(size.height))
    return found.map { face in
      Face(
        left: Double(face.left) / width, top: Double(face.top) / height,
        width: Double(face.width) / width, height: Double(face.height) / height)
    }
  }
}

/// The error of a build of phbatch that cannot detect faces.
public struct MissingFaceDetector: UserError, Hashable {
  public var message: String { "this phbatch cannot detect faces" }
  public var hint: String {
    "install libdlib-dev and build phbatch again, or mark faces in the photo's metadata"
  }

  /// The error; nil if this build detects faces.
  public static var current: MissingFaceDetector? {
    FaceDetector.library == nil ? MissingFaceDetector() : nil
  }
}
