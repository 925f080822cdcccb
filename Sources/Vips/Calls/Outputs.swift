/// The outputs of an operation, by their names in libvips.
///
/// Each accessor throws `VipsError.missingOutput` if the operation has no such output.
public struct Outputs: Sendable {
  let operation: String
  let values: [String: Field]

  /// The names of the outputs in alphabetical order.
  public var names: [String] { values.keys.sorted() }

  public func image(_ name: String = "out") throws(VipsError) -> Image {
    guard case .image(let image) = values[name] else { throw missing(name) }
    return image
  }

  public func number(_ name: String = "out") throws(VipsError) -> Double {
    guard case .number(let number) = values[name] else { throw missing(name) }
    return number
  }

  public func numbers(_ name: String = "out") throws(VipsError) -> [Double] {
    guard case .numbers(let numbers) = values[name] else { throw missing(name) }
    return numbers
  }

  public func integer(_ name: String = "out") throws(VipsError) -> Int {
    guard case .integer(let integer) = values[name] else { throw missing(name) }
    return integer
  }

  public func integers(_ name: String = "out") throws(VipsError) -> [Int] {
    guard case .integers(let integers) = values[name] else { throw missing(name) }
    return integers
  }

  public func flag(_ name: String = "out") throws(VipsError) -> Bool {
    guard case .flag(let flag) = values[name] else { throw missing(name) }
    return flag
  }

  /// A string, or the nickname of an enumeration value.
  public func text(_ name: String = "out") throws(VipsError) -> String {
    guard case .text(let text) = values[name] else { throw missing(name) }
    return text
  }

  public func blob(_ name: String = "buffer") throws(VipsError) -> [UInt8] {
    guard case .blob(let bytes) = values[name] else { throw missing(name) }
    return bytes
  }

  private func missing(_ name: String) -> VipsError {
    .missingOutput(name, operation: operation)
  }
}
