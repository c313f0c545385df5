import type { Vocabulary } from '../vocabulary.js'

/** Portuguese invoice vocabulary. */
export const portuguese: Vocabulary = {
  labels: {
    number:
      'numero|numero da fatura|n da fatura|fatura n|fatura no|fatura nr|fatura numero|no fatura|n fatura|fatura|factura n|numero de fatura|n de fatura|fatura recibo|fatura recibo n|fatura simplificada|fatura simplificada n|nota de credito n|recibo n|numero fatura|nota fiscal n|nota de credito|documento n',
    date: 'data da fatura|data de fatura|data fatura|data de emissao|data emissao|data|emitida em|emitido em|data do documento|data da factura|data doc',
    due: 'data de vencimento|vencimento|data vencimento|vence em|pagar ate|data limite de pagamento|data limite|prazo de pagamento|a pagar ate|pagamento ate|vence a|pagavel ate|data de pagamento|data venc|vencto|vence|data lim pag',
    terms: 'condicoes de pagamento|condicao de pagamento|termos de pagamento|cond pagamento|forma de pagamento',
    supplier: 'fornecedor|emitente|vendedor|de|emissor|prestador|prestador de servicos|emitido por|dados do emitente',
    customer:
      'faturar a|cliente|faturado a|dados do cliente|comprador|destinatario|adquirente|exmo s sr s|exmos senhores|exmo senhor|exmos srs|fatura para|nome do cliente|para|cobrar a|morada de faturacao|fatura a|exmo s sr|exmo sr|endereco de faturacao',
    shipTo: 'local de entrega|endereco de entrega|entregar a|enviar para|morada de entrega|local de descarga|entrega em',
    currency: 'moeda|divisa|valores em|valores expressos em|precos em|todos os valores em',
    other:
      'numero da encomenda|n da encomenda|encomenda n|encomenda|n encomenda|pedido|pedido n|numero de cliente|n de cliente|n cliente|cod cliente|codigo cliente|codigo de cliente|cliente n|nif|nipc|contribuinte|contribuinte n|n contribuinte|n de contribuinte|cnpj|cpf|telefone|tel|telef|fax|telemovel|tlm|email|e mail|web|site|website|referencia|ref|v referencia|n referencia|vossa referencia|nossa referencia|iban|bic|swift|banco|conta|nib|dados bancarios|guia de remessa|guia n|contrato|n contrato|projeto|projecto|pagina|caixa|mesa|orcamento|orcamento n|contacto|metodo de pagamento|capital social|fatura original|atcud|operador|requisicao|v requisicao|entidade|documento original|meio de pagamento|conservatoria|nif cliente|assunto|ref a fatura',
    otherDate:
      'data de entrega|data da encomenda|data encomenda|periodo|periodo de faturacao|data de expedicao|data do pedido|data carga|data de carga|data descarga|data entrega|data do servico|data prestacao',
    subtotal:
      'subtotal|total sem iva|total liquido|incidencia|base tributavel|valor liquido|total iliquido|iliquido|total incidencia|base de incidencia|valor sem iva|liquido|total sem impostos|sub total|total mercadoria|base|soma|montante liquido|total antes de impostos|total s iva|valor tributavel|mercadoria servicos|total iliquido de impostos',
    tax: 'iva|total iva|valor iva|valor do iva|imposto|total imposto|impostos|iva incluido|montante iva|total de iva|total do iva|i v a|total impostos|total de impostos|valor imposto|montante de iva|iva total|iva a|do qual iva',
    taxBase: 'base iva|taxa iva|taxa|resumo do iva|resumo iva|quadro resumo do iva|resumo de impostos|taxa de iva',
    total:
      'total|total da fatura|valor total|total com iva|total geral|total documento|total do documento|total eur|importancia total|montante total|total fatura|total iva incluido|total com impostos|total c iva|total euros|valor da fatura|total bruto|total nota de credito',
    payable:
      'a pagar|total a pagar|valor a pagar|saldo|em divida|montante a pagar|saldo em divida|valor em divida|por pagar|liquido a pagar|saldo a pagar|valor pendente|pendente|em falta|total em divida|resta pagar',
    prepaid:
      'adiantamento|ja pago|pago|valor pago|sinal|entrega por conta|menos adiantamento|pagamento antecipado|sinal pago|adiantamentos|montante pago|adiantamento recebido|recebido|por conta|valor ja pago',
    discount:
      'desconto|desconto comercial|total desconto|descontos|total descontos|desconto global|desconto financeiro|total de descontos|menos desconto|desconto cliente|valor desconto|desconto especial',
    shipping:
      'portes|envio|transporte|portes de envio|despesas de envio|custos de envio|frete|gorjeta|despesas de transporte|taxa de servico|taxa turistica|ecovalor|deposito|seguro|taxa',
    rounding: 'arredondamento',
    carried: 'a transportar|transporte pagina|transportado|total da pagina|continua|subtotal da pagina',
    withheld: 'retencao|retencao na fonte|irs|retencao irs|irrf',
  },
  headings: {
    position: 'n|pos|linha|no|num',
    code: 'codigo|cod|referencia|ref|cod artigo|codigo artigo|cod art',
    description:
      'descricao|designacao|artigo|produto|servico|designacao do produto|detalhe|descritivo|descricao do artigo|descricao do produto|produto servico|artigos|descricao do servico|descricao dos servicos',
    quantity: 'quantidade|qtd|qtde|quant|qt|horas|qty|unidades|qtd.',
    unit: 'un|unid|unidade|um|uni|u m',
    price:
      'preco unitario|preco|p unitario|preco unit|valor unitario|pr unitario|pr unit|preco un|p unit|preco s iva|p u|valor unit|custo unitario|preco sem iva|tarifa|preco liquido|preco uni|pu|preco hora|preco unitario sem iva',
    grossPrice: 'preco com iva|preco c iva|pvp',
    discount: 'desconto|desc|desc %|dto',
    rate: 'iva|taxa|iva %|taxa iva|% iva|taxa %|taxa de iva|tx iva|imposto|tx',
    tax: 'valor iva|montante iva|total iva|valor do iva',
    net: 'total liquido|valor liquido|total sem iva|liquido|valor s iva|total s iva|total iliquido|subtotal|valor sem iva|incidencia|importe',
    gross: 'total com iva|valor bruto|bruto|total c iva|valor com iva|valor c iva|total bruto',
    amount: 'valor|total|montante|preco total|valor total|importancia|total linha|total eur|soma|p total|total item',
    date: 'data|dia',
    skip: 'peso|cor|lote|armazem|arm|origem',
  },
  months:
    'janeiro jan|fevereiro fev|marco mar|abril abr|maio mai|junho jun|julho jul|agosto ago|setembro set|outubro out|novembro nov|dezembro dez',
  common: 'o|os|as|e|para|obrigado|com|sua|dias|rua|do|da|dos|em|uma|ao|por|pela|processado',
}
