/** What a column of a table holds. `code` is a number of an article, `skip` anything that is not wanted. */
export const COLUMNS = [
  ...(['position', 'code', 'description', 'quantity', 'unit', 'price', 'grossPrice', 'discount'] as const),
  ...(['rate', 'tax', 'net', 'gross', 'amount', 'date', 'skip'] as const),
] as const
export type Column = (typeof COLUMNS)[number]
