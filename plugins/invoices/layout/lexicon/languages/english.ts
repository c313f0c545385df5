import type { Vocabulary } from '../vocabulary.js'

/** English invoice vocabulary. */
export const english: Vocabulary = {
  labels: {
    number:
      'invoice number|invoice no|invoice num|invoice nr|invoice #|invoice id|invoice ref|invoice reference|inv no|inv number|inv #|inv nr|bill number|bill no|tax invoice no|tax invoice number|receipt number|receipt no|receipt #|receipt|credit note number|credit note no|credit note #|credit memo no|credit memo number|document number|document no|doc no|statement no|ticket no|ticket|transaction no|bill #|check #|check no|check number|guest check|invoice|tax invoice|credit note|credit memo|number',
    date: 'invoice date|date of invoice|date of issue|issue date|issued|issued on|date issued|bill date|billing date|date|dated|receipt date|tax point|tax point date|invoice issued|document date|credit note date|date of credit note|inv date|invoice dated|transaction date',
    due: 'due date|date due|payment due|payment due date|payment due by|due by|pay by|due on|please pay by|due|payable by|payment date|invoice due|invoice due date|payable until|payment deadline|to be paid by|payment by|please pay before|must be paid by|payment is due on|payment is due by',
    terms: 'payment terms|terms|terms of payment|net terms|payment term',
    supplier:
      'from|seller|supplier|vendor|issued by|billed by|invoice from|sold by|service provider|bill from|provider|remit to|pay to|company details|our details',
    customer:
      'bill to|billed to|invoice to|invoiced to|customer|client|sold to|buyer|customer name|client name|to|bill to address|billing address|invoice address|charge to|attention|recipient|purchaser|for|account name|bill recipient|customer details|prepared for|invoice for|customer address|issued to',
    shipTo:
      'ship to|shipped to|deliver to|delivery address|shipping address|delivered to|ship to address|delivery to|consignee|site address',
    currency: 'currency|all amounts in|amounts in|all prices in|prices in',
    other:
      'order number|order no|po number|po no|p o number|purchase order|purchase order no|purchase order number|po|customer no|customer number|customer id|client no|client number|account no|account number|account|vat no|vat number|vat id|vat reg no|vat registration|vat registration no|vat registration number|tax id|tax number|ein|company no|company number|company registration|company reg no|registered in|phone|tel|telephone|fax|mobile|email|e mail|web|website|reference|ref|your ref|your reference|our ref|our reference|iban|bic|swift|sort code|bank|bank details|bank account|delivery note|delivery note no|contract no|contract|contract number|project|project no|project number|order|order ref|salesperson|terminal|terminal id|cashier|table|server|page|quote no|quotation no|job no|contact|routing number|utr|register|auth code|card|card no|payment reference|abn|gst no|gst number|original invoice|original invoice no|corrects invoice|relates to invoice|ref invoice|payment method|your order|your order no|gstin|customer ref|cust no|cust id|attn|meter|tracking no|till|store|store no|vat|customer vat|your vat no|customer vat no|vat id no|client id|client ref|order id|notes',
    otherDate:
      'delivery date|date of delivery|date of supply|supply date|service date|date of service|order date|period|billing period|service period|ship date|date shipped|shipping date|order placed|printed on|print date|payment received|paid on|date paid|original invoice date|po date|departure|arrival|performed on|service delivered|delivered on',
    subtotal:
      'subtotal|sub total|net total|total net|net amount|total excl vat|total ex vat|total excluding vat|net|total before tax|amount before tax|subtotal excl vat|total net amount|goods total|taxable amount total|sum|items total|total excl tax|total excluding tax|subtotal before tax|total without vat|net value|total exc vat|total ex tax|net subtotal|subtotal ex vat|total taxable|total value net|net invoice total|pre tax total|invoice subtotal|taxable value|total taxable value|taxable amount|assessable value|total taxable amount',
    tax: 'vat|sales tax|tax|gst|hst|pst|total vat|total tax|vat amount|tax amount|vat total|tax total|plus vat|includes vat|incl vat|vat included|including vat|of which vat|vat payable|total vat amount|output vat|state tax|vat due|included vat|add vat|incl tax|total sales tax|gst amount|iva|contains vat|vat on|tax on|zero rated|standard rate|reduced rate|standard rate vat|cgst|sgst|igst|utgst|gst|pst|hst|qst|add cgst|add sgst|add igst|central gst|state gst|state tax|county tax|local tax|total gst',
    taxBase:
      'taxable amount|taxable|tax base|net at|goods|taxable value|vatable amount|vat base|vat summary|vat analysis|tax summary|tax rate|vat rate|vat breakdown|vat code',
    total:
      'total|grand total|invoice total|total amount|total incl vat|total inc vat|total including vat|total due|amount total|gross total|total gross|gross amount|total incl tax|total to pay|balance total|total price|total charge|total usd|total eur|total gbp|total payable|invoice amount|total including tax|total invoice|total inc tax|gross|total invoice amount|total amount incl vat|credit total|total credit|refund total|total refund|total with vat|total amount due|sum total|total inclusive of vat|total credited|total invoice value|amount including vat|total rs|total inr|total cad|total aud|total amount after tax|total invoice amount|net amount payable|invoice value',
    payable:
      'amount due|balance due|balance|amount payable|due amount|payable amount|outstanding|amount outstanding|balance payable|to pay|remaining balance|please pay|pay this amount|outstanding balance|net payable|amount to pay|balance to pay|remaining amount|left to pay|amount owing|amount due for payment|amount now due',
    prepaid:
      'paid|amount paid|prepaid|deposit|deposit paid|less deposit|payments received|less paid|already paid|advance payment|prepayment|payment received|less prepayment|advance|down payment|paid to date|less payments|payments|less amount paid|less deposit paid|less advance payment|paid in advance|partial payment|payment on account|less advance|prepaid amount|received with thanks',
    discount:
      'discount|less discount|rebate|trade discount|volume discount|total discount|promotion|coupon|savings|voucher|special discount|customer discount|loyalty discount|promo code|allowance|discount amount|invoice discount|special offer|promotional discount|early payment discount',
    shipping:
      'shipping|delivery|freight|postage|carriage|handling|shipping and handling|postage and packing|shipping costs|delivery charge|delivery fee|shipping cost|delivery charges|packing|p p|shipping handling|shipping charges|carriage and packing|shipping fee|tip|gratuity|surcharge|service charge|freight charges|insurance|fee|fees|service fee|booking fee|delivery and handling|eco fee|environmental fee|fuel surcharge|city tax|tourist tax|resort fee|bottle deposit|packing charges|convenience fee|processing fee|cleaning fee|crv',
    rounding: 'rounding|round off|rounding adjustment|rounding difference|rounded off|round off adjustment|rounding off|roundoff',
    carried:
      'carried forward|brought forward|carry forward|balance brought forward|carried over|continued|subtotal carried forward|balance carried forward|page total|total carried forward|continued on next page|subtotal page',
    withheld: 'withholding|withholding tax|retention|retainage|tds|less tds|less retention',
  },
  headings: {
    position: 'pos|no|#|line|item no|item #|nr|ln|line no|sr no|s no|sl no',
    code: 'item code|sku|product code|code|article no|art no|part no|part number|product no|article|art|item number|stock code|product id|product #|article number|hsn|hsn code|ref|item id',
    description:
      'description|item|items|product|service|details|particulars|description of goods|item description|product description|services|activity|product service|description of services|work|product name|goods|goods services|task|item service|products and services|item details|article description|products|work performed|service description',
    quantity: 'qty|quantity|hours|units|hrs|qty hrs|no of units|count|amount of units|days|qty hours|hours qty|qnty|quant|qty.|pcs',
    unit: 'unit|uom|u m|unit of measure|per|measure|u o m',
    price:
      'unit price|price|rate|unit cost|price each|each|cost|price unit|unit rate|net price|unit price excl vat|price per unit|hourly rate|unit price net|rate hr|unit net price|unit amount|price ex vat|unit price ex vat|item price|list price|unit value|price per item|net unit price|unit net|rate per hour|price excl vat',
    grossPrice: 'unit price inc vat|unit price incl vat|gross price|price incl vat|price inc vat',
    discount: 'discount|disc|disc %|discount %|less',
    rate: 'vat|vat %|tax|tax rate|vat rate|tax %|rate %|gst|vat rate %|gst %|sales tax|tax rate %|vat pct|vat code',
    tax: 'vat amount|tax amount|vat value|tax total|vat total|gst amount',
    net: 'net amount|net total|net|amount excl vat|line total net|total excl vat|net value|line net|total ex vat|total net|total excl tax|amount ex vat|amount net|total exc vat|net line total|excl vat',
    gross:
      'gross amount|gross total|gross|total incl vat|amount incl vat|total inc vat|gross value|total incl|total inc|line total gross|total incl tax|total gross|incl vat|amount inc vat',
    amount:
      'amount|total|line total|total price|subtotal|value|total amount|sum|price total|ext price|extended price|extended|item total|amount due|line amount|sub total|extension|total cost',
    date: 'date|service date|day',
    skip: 'weight|origin|colour|size|batch|serial no|warranty|tax code|project|employee|from|to|delivery note|country of origin|consultant',
  },
  months:
    'january jan|february feb|march mar|april apr|may|june jun|july jul|august aug|september sep sept|october oct|november nov|december dec',
  common: 'the|and|of|for|to|please|within|days|thank|you|your|with|this|payment|all|by|is|are|on',
}
