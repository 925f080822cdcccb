/// JPEG files of motion photos: their XMP states that a film follows; ExifTool 12.57 cannot write
/// this XMP.
public enum MotionPhotoFile {
  /// The XMP properties of a photo with a film of `length` bytes; the photo was taken 0.48 s after
  /// the start of the film.
  public static func listing(_ length: Int) -> String {
    """
    <GCamera:MotionPhoto>1</GCamera:MotionPhoto><GCamera:MotionPhotoPresentationTimestampUs>\
    480000</GCamera:MotionPhotoPresentationTimestampUs><Container:Directory><rdf:Seq>\
    <rdf:li rdf:parseType="Resource"><Container:Item Item:Semantic="Primary" \
    Item:Mime="image/jpeg"/></rdf:li><rdf:li rdf:parseType="Resource"><Container:Item \
    Item:Semantic="MotionPhoto" Item:Mime="video/mp4" Item:Length="\(length)"/></rdf:li>\
    </rdf:Seq></Container:Directory>
    """
  }

  /// Returns the JPEG file with an XMP packet of these properties.
  public static func photo(_ file: [UInt8], saying properties: String) -> [UInt8] {
    let packet = """
      <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF \
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" \
      xmlns:GCamera="http://ns.google.com/photos/1.0/camera/" \
      xmlns:Container="http://ns.google.com/photos/1.0/container/" \
      xmlns:Item="http://ns.google.com/photos/1.0/container/item/">\(properties)\
      </rdf:Description></rdf:RDF></x:xmpmeta>
      """
    let payload = Array("http://ns.adobe.com/xap/1.0/\0\(packet)".utf8)
    let length = [UInt8((payload.count + 2) >> 8), UInt8((payload.count + 2) & 0xFF)]
    return Array(file[..<2]) + [0xFF, 0xE1] + length + payload + file[2...]
  }
}
