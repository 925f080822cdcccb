/// The namespaces of programs that store settings in XMP.
package enum XMPNamespace {
  package static let cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"
  package static let darktable = "http://darktable.sf.net/"
  package static let photoshop = "http://ns.adobe.com/photoshop/1.0/"
  package static let tiff = "http://ns.adobe.com/tiff/1.0/"
  package static let exif = "http://ns.adobe.com/exif/1.0/"
}
