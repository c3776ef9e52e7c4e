# ROCR's numbers of every data set: one line of data, quantity and value each.
suppressPackageStartupMessages(library(ROCR))

answers <- new.env()
answers$lines <- list()
tell <- function(data, quantity, values) {
  values <- as.numeric(unlist(values))
  if (length(values) == 0) values <- NA
  written <- ifelse(is.na(values), "NA", ifelse(is.infinite(values),
    ifelse(values > 0, "Inf", "-Inf"), sprintf("%.17g", values)))
  answers$lines[[length(answers$lines) + 1]] <-
    paste0("\"", data, "\",\"", quantity, "\",", written)
}
quietly <- function(expression) {
  tryCatch(suppressWarnings(expression), error = function(stopped) NULL)
}
MEASURES <- c("acc", "err", "fpr", "tpr", "fnr", "tnr", "ppv", "npv", "pcfall", "pcmiss", "rpp",
              "rnp", "phi", "mi", "chisq", "odds", "lift", "f")
SUMMARIES <- c("auc", "aucpr", "prbe", "rmse", "mxe")

scored <- read.csv("scored.csv")
for (data in unique(scored$data)) {
  rows <- scored[scored$data == data, ]
  told <- quietly(prediction(rows$score, rows$actual, label.ordering = c(0, 1)))
  if (is.null(told)) {
    tell(data, "auc", NA)
    next
  }
  tell(data, "cutoff", told@cutoffs[[1]])
  for (count in c("tp", "fp", "tn", "fn")) tell(data, count, slot(told, count)[[1]])
  for (measure in MEASURES) {
    found <- quietly(performance(told, measure))
    tell(data, measure, if (is.null(found)) NA else found@y.values[[1]])
  }
  for (measure in SUMMARIES) {
    found <- quietly(performance(told, measure))
    tell(data, measure, if (is.null(found)) NA else found@y.values[[1]])
  }
  tell(data, "partial_auc", performance(told, "auc", fpr.stop = 0.3)@y.values[[1]])
  alpha <- performance(told, "f", alpha = 0.2)
  tell(data, "f alpha", alpha@y.values[[1]])
  cost <- performance(told, "cost", cost.fp = 1, cost.fn = 5)
  tell(data, "cost", cost@y.values[[1]])
  hull <- quietly(performance(told, "rch"))
  if (!is.null(hull)) {
    tell(data, "hull x", hull@x.values[[1]])
    tell(data, "hull y", hull@y.values[[1]])
  }
}
writeLines(unlist(answers$lines), "answers.csv")
