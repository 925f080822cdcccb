extension String {
  /// The same Pango markup with the base direction left to right in each paragraph, and the letters
  /// in the same places of their lines.
  ///
  /// Pango swaps left and right alignment in paragraphs with the other direction. A mark makes
  /// these paragraphs begin from left to right, and an isolate keeps the order of their letters.
  ///
  /// - Source: Unicode Standard Annex #9, 2.4 (isolates), 2.6 (marks) and 3.3.1 (P2, P3).
  var leftToRight: String {
    let paragraphs = paragraphs
    // As in Pango, a paragraph without letters has the direction of the paragraph before it, and
    // the first paragraphs that of the first letter.
    var isRightToLeft = paragraphs.lazy.compactMap(\.isRightToLeft).first ?? false
    return paragraphs.map { paragraph in
      isRightToLeft = paragraph.isRightToLeft ?? isRightToLeft
      let isChanged = isRightToLeft && !paragraph.text.isEmpty
      return paragraph.separator
        + (isChanged ? "\u{200E}\u{2067}\(paragraph.text)\u{2069}" : paragraph.text)
    }.joined()
  }

  private struct Paragraph {
    /// The character that ends the paragraph before; empty for the first paragraph.
    var separator = ""
    var text = ""
    /// The direction of the first letter; nil if there is none.
    var isRightToLeft: Bool?
  }

  private var paragraphs: [Paragraph] {
    var (finished, current) = ([Paragraph](), Paragraph())
    // The character that ends the tag or the entity around the current character.
    var end: Unicode.Scalar?
    for scalar in unicodeScalars {
      if end == nil && ["\n", "\r", "\u{2029}"].contains(scalar) {
        finished.append(current)
        current = Paragraph(separator: String(scalar))
        continue
      }
      current.text.unicodeScalars.append(scalar)
      if let last = end {
        if scalar == last { end = nil }
      } else if scalar == "<" {
        end = ">"
      } else if scalar == "&" {
        end = ";"
      } else {
        current.isRightToLeft = current.isRightToLeft ?? scalar.isRightToLeft
      }
    }
    return finished + [current]
  }
}

extension Unicode.Scalar {
  /// True for letters and marks of right-to-left scripts, false for others, nil for characters
  /// without a direction of their own.
  ///
  /// - Source: Unicode 15.0, DerivedBidiClass.txt: the blocks of the classes R and AL.
  fileprivate var isRightToLeft: Bool? {
    switch value {
    case 0x200E: return false
    case 0x200F, 0x061C: return true
    default: break
    }
    switch properties.generalCategory {
    case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter:
      return Self.rightToLeft.contains { $0.contains(value) }
    default: return nil
    }
  }

  private static let rightToLeft: [ClosedRange<UInt32>] = [
    0x0590...0x08FF, 0xFB1D...0xFDFF, 0xFE70...0xFEFF, 0x10800...0x10FFF, 0x1E800...0x1EFFF,
  ]
}
