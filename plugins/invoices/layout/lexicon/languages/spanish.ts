import type { Vocabulary } from '../vocabulary.js'

/** Spanish invoice vocabulary. */
export const spanish: Vocabulary = {
  labels: {
    number:
      'numero|numero de factura|n de factura|n factura|factura n|factura no|no de factura|num factura|factura numero|factura num|nro factura|nro de factura|factura nro|factura|factura simplificada|ticket n|n ticket|recibo n|abono n|factura rectificativa n|numero de abono|n de abono|nota de credito n|numero factura|factura rectificativa',
    date: 'fecha de factura|fecha factura|fecha de emision|fecha emision|fecha de expedicion|fecha|fecha de la factura|emitida el|fecha expedicion|emitido el|fecha de abono|expedida el',
    due: 'fecha de vencimiento|vencimiento|fecha vencimiento|vence el|fecha limite de pago|pagar antes del|fecha de pago|vence|fecha limite|vto|fecha vto|fecha de vto|pagadero hasta|a pagar antes del|fecha pago|plazo de pago|pagar hasta|vencimiento el',
    terms: 'condiciones de pago|forma de pago|terminos de pago|plazo',
    supplier: 'emisor|proveedor|vendedor|de|datos del emisor|emitida por|datos de la empresa|emitido por|datos del proveedor|prestador',
    customer:
      'facturar a|cliente|facturado a|datos del cliente|comprador|destinatario|direccion de facturacion|factura a|receptor|nombre del cliente|adquirente|a|datos de facturacion|para|facturacion a',
    shipTo: 'direccion de entrega|enviar a|direccion de envio|entregar a|enviado a|lugar de entrega|entrega',
    currency: 'moneda|divisa|importes en|todos los importes en|precios en',
    other:
      'numero de pedido|n de pedido|n pedido|pedido|pedido n|su pedido|numero de cliente|n cliente|n de cliente|codigo cliente|cliente n|cod cliente|nif|cif|nif cif|cif nif|dni|vat|iva n|telefono|tel|tlf|fax|movil|email|correo|correo electronico|e mail|web|referencia|ref|su referencia|nuestra referencia|iban|bic|swift|banco|cuenta|cuenta bancaria|datos bancarios|albaran|albaran n|n albaran|contrato|n contrato|proyecto|pagina|caja|mesa|camarero|presupuesto|contacto|metodo de pago|registro mercantil|factura original|factura rectificada|asunto|obra|operacion|terminal|atendido por|cajero|pago|nif cliente|id cliente|n i f|c i f',
    otherDate:
      'fecha de entrega|fecha de pedido|fecha pedido|periodo|periodo de facturacion|fecha de operacion|fecha operacion|fecha de servicio|fecha entrega|fecha del pedido|fecha de envio|fecha de la operacion|fecha factura original|fecha de impresion',
    subtotal:
      'subtotal|base imponible|total sin iva|importe neto|total neto|neto|suma|suma neta|importe sin iva|total base imponible|base imponible total|importe bruto|total bruto|importe base|base|total base|subtotal sin iva|total antes de impuestos|total sin impuestos|suma importes',
    tax: 'iva|total iva|cuota iva|cuota|importe iva|i v a|iva incluido|impuestos|total impuestos|cuota de iva|cuota total iva|igic|importe del iva|total cuota|total cuota iva|cuotas iva|iva total|total i v a|mas iva|iva al|iva repercutido',
    taxBase: 'base imponible al|base al|tipo iva|tipo de iva|tipo|base iva|desglose iva',
    total:
      'total|total factura|importe total|total con iva|total iva incluido|total general|total eur|importe factura|total a abonar|importe total factura|total euros|total con impuestos|total importe|total de la factura|suma total|total factura eur|total abono',
    payable:
      'a pagar|importe a pagar|total a pagar|pendiente de pago|saldo pendiente|pendiente|liquido a pagar|importe pendiente|saldo|resto a pagar|total pendiente|neto a pagar|total liquido',
    prepaid:
      'anticipo|pagado|pago a cuenta|ya pagado|entrega a cuenta|importe pagado|anticipos|menos anticipo|deposito|a cuenta|pagos a cuenta|pago anticipado|anticipo recibido|anticipo abonado|anticipo pagado|cobrado|menos pago a cuenta',
    discount:
      'descuento|dto|rebaja|descuento comercial|total descuento|bonificacion|descuento global|total descuentos|dto pp|descuento cliente|importe descuento|menos descuento|descuento especial|descuento por volumen|cupon',
    shipping:
      'gastos de envio|envio|portes|transporte|gastos de transporte|gastos envio|propina|recargo|gastos de gestion|seguro|fianza|tasa turistica|cargo por servicio|comision',
    rounding: 'redondeo',
    carried: 'suma y sigue|suma anterior|total pagina|arrastre|sigue|viene de pagina anterior|subtotal pagina',
    withheld: 'retencion|retencion irpf|irpf|ret irpf|menos irpf|retencion de garantia',
  },
  headings: {
    position: 'n|pos|num|linea|no|n linea',
    code: 'referencia|ref|codigo|cod|codigo articulo|cod articulo|cod art',
    description:
      'descripcion|concepto|articulo|producto|detalle|servicio|denominacion|conceptos|descripcion del producto|articulos|descripcion del servicio|producto servicio|descripcion de los productos',
    quantity: 'cantidad|cant|uds|unidades|ud|horas|unid|ctd|cant.',
    unit: 'unidad|ud med|um|u m|un|unidad medida',
    price:
      'precio unitario|precio|p u|precio ud|pvp|precio unidad|p unitario|precio unit|tarifa|importe unitario|precio ud sin iva|precio u|p unit|coste unitario|precio hora|p ud|precio neto|valor unitario|precio unitario sin iva|pu|precio uni',
    grossPrice: 'precio con iva|precio iva incluido|pvp con iva',
    discount: 'descuento|dto|desc|dto %|dcto',
    rate: 'iva|iva %|tipo iva|% iva|tipo|tipo de iva|i v a|iva tipo|tipo impositivo|impuesto|impuestos',
    tax: 'cuota iva|importe iva|cuota|total iva',
    net: 'importe neto|total neto|neto|base imponible|total sin iva|importe sin iva|base|subtotal|sub total|total base',
    gross: 'total con iva|importe bruto|total bruto|bruto|importe con iva|total iva incluido',
    amount: 'importe|total|precio total|importe total|suma|valor|importe eur|total eur|total linea|p total|importe linea',
    date: 'fecha|dia',
    skip: 'peso|color|talla|lote|albaran|origen',
  },
  months:
    'enero ene|febrero feb|marzo mar|abril abr|mayo may|junio jun|julio jul|agosto ago|septiembre sep sept setiembre|octubre oct|noviembre nov|diciembre dic',
  common: 'el|los|las|y|para|gracias|por|con|su|dias|calle|este|del|en|una|sera|favor',
}
