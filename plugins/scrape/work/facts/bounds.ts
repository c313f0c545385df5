/** Maximum number of each kind of fact on a page. */
export const BOUNDS = {
  /** Characters of a value of an item, of a heading or cell. */
  value: 10_000,
  heading: 500,
  cell: 500,
  /** Values of all items of a page together, including objects. */
  values: 20_000,
  /** Characters of all values of items together. */
  characters: 2_000_000,
  /** Maximum nesting of objects. */
  depth: 20,
  items: 1_000,
  links: 200,
  headings: 500,
  tables: 50,
  rows: 1_000,
  columns: 100,
  cells: 20_000,
  /** Characters of all tables together. */
  tableCharacters: 2_000_000,
  names: 200,
  perName: 50,
} as const
