/// The last six numbers of the payloads of VIBRANCE, SATURATE and HUES: for R, G and B, the
/// multiples of the cone responses L and S.
package enum GamutPayload {
  package static let sRGB: [Float] = [
    4.0767416621, 0.2309699292, -1.2684380046, -0.3413193965, -0.0041960863, 1.7076147010,
  ]
  /// Display P3: the product of the matrix from linear sRGB and the matrix from cone responses to
  /// linear sRGB.
  package static let displayP3: [Float] = [
    3.1277690, 0.1293668, -1.0910090, -0.3223227, -0.0260108, 1.5340521,
  ]
}
