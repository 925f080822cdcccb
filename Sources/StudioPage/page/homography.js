// Projective maps of positions, both 0…1 of a frame.

export class Homography {
  // `numbers` are the nine values of the matrix, row by row.
  constructor(numbers = [1, 0, 0, 0, 1, 0, 0, 0, 1]) { this.numbers = numbers; }

  at([x, y]) {
    const [a, b, c, d, e, f, g, h, i] = this.numbers;
    const depth = g * x + h * y + i;
    return [(a * x + b * y + c) / depth, (d * x + e * y + f) / depth];
  }

  // The map that applies `first`, then this one.
  after(first) {
    const [m, n] = [this.numbers, first.numbers];
    const row = (r) => [0, 1, 2].map((c) => m[r] * n[c] + m[r + 1] * n[c + 3] + m[r + 2] * n[c + 6]);
    return new Homography([...row(0), ...row(3), ...row(6)]);
  }

  // The inverse map; the common factor of the matrix does not count.
  get inverse() {
    const [a, b, c, d, e, f, g, h, i] = this.numbers;
    return new Homography([e * i - f * h, c * h - b * i, b * f - c * e, f * g - d * i, a * i - c * g,
      c * d - a * f, d * h - e * g, b * g - a * h, a * e - b * d]);
  }
}
