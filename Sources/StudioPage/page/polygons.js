// The corners of polygon masks.

export const fewestCorners = 3;
export const mostCorners = 256;

const side = (u, v, w) => (v[0] - u[0]) * (w[1] - u[1]) - (v[1] - u[1]) * (w[0] - u[0]);

// True if edges of a polygon cross each other, as the filters see it: edges may touch.
export function crosses(points) {
  const count = points.length;
  const meets = (a, b) => {
    if ((a + 1) % count === b || (b + 1) % count === a) return false;
    const [p, q, r, s] = [points[a], points[(a + 1) % count], points[b], points[(b + 1) % count]];
    return side(p, q, r) * side(p, q, s) < 0 && side(r, s, p) * side(r, s, q) < 0;
  };
  return points.some((_, a) => points.some((_, b) => a < b && meets(a, b)));
}

export const middle = (points, index) => {
  const next = points[(index + 1) % points.length];
  return points[index].map((value, axis) => Number(((value + next[axis]) / 2).toFixed(4)));
};

// The points with a corner in the middle of the edge after corner `index`.
export const withCorner = (points, index) => points.toSpliced(index + 1, 0, middle(points, index));

// The points without a corner; null if too few are left, or if the remaining edges would cross.
export function withoutCorner(points, index) {
  const next = points.toSpliced(index, 1);
  return next.length < fewestCorners || crosses(next) ? null : next;
}
