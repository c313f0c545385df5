/**
 * Kinds of labels; `shipping` is any document-level charge, `withheld` a deduction after tax. `other` labels are
 * listed so that their values are not mistaken for something else.
 */
export const FIELDS = [
  ...(['number', 'date', 'due', 'terms', 'supplier', 'customer', 'shipTo', 'currency', 'other', 'otherDate'] as const),
  ...(['subtotal', 'tax', 'taxBase', 'total', 'payable', 'prepaid', 'discount', 'shipping', 'withheld', 'rounding', 'carried'] as const),
] as const
export type Field = (typeof FIELDS)[number]
