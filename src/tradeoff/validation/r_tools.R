# Answers of pROC and ROCR for the certified data sets. Rows come from standard input as
# "set,class,score", scores in hexadecimal; answers go to standard output as
# "tool,set,quantity,value", an error as "!" and its message.

rows <- read.csv(file("stdin"), header = FALSE, colClasses = "character",
                 col.names = c("set", "class", "score"))

hexadecimal <- function(text) {
  text <- sub("^(-?)inf$", "\\1Inf", text)
  as.numeric(text)
}

answer <- function(tool, set, quantity, compute) {
  value <- tryCatch(
    suppressWarnings(suppressMessages(compute())),
    error = function(problem) paste0("!", gsub("[\",\n]", " ", conditionMessage(problem)))
  )
  if (is.matrix(value)) {
    value <- paste(sprintf("%.17g %.17g", value[, 1], value[, 2]), collapse = ";")
  } else if (is.numeric(value)) {
    value <- sprintf("%.17g", value[1])
  } else if (is.na(value[1])) {
    value <- "NA"
  }
  cat(sprintf("%s,%s,%s,\"%s\"\n", tool, set, quantity, value))
}

with_proc <- function(tool, set, class, score) {
  curve <- function() {
    pROC::roc(class, score, levels = c("0", "1"), direction = "<", quiet = TRUE)
  }
  partial <- function(limit, corrected) function() as.numeric(
    pROC::auc(curve(), partial.auc = c(1, 1 - limit), partial.auc.correct = corrected)
  )
  answer(tool, set, "auc", function() as.numeric(pROC::auc(curve())))
  answer(tool, set, "delong_variance", function() pROC::var(curve()))
  answer(tool, set, "partial_auc_1/8", partial(1 / 8, FALSE))
  answer(tool, set, "partial_auc_1/2", partial(1 / 2, FALSE))
  answer(tool, set, "mcclish_1/8", partial(1 / 8, TRUE))
  answer(tool, set, "mcclish_1/2", partial(1 / 2, TRUE))
}

with_rocr <- function(tool, set, class, score) {
  measured <- function(measure, ...) function() {
    ranked <- ROCR::prediction(score, class)
    values <- ROCR::performance(ranked, measure, ...)@y.values[[1]]
    min(as.numeric(values))
  }
  answer(tool, set, "auc", measured("auc"))
  answer(tool, set, "partial_auc_1/8", measured("auc", fpr.stop = 1 / 8))
  answer(tool, set, "partial_auc_1/2", measured("auc", fpr.stop = 1 / 2))
  answer(tool, set, "best_cost_1_1", measured("cost", cost.fp = 1, cost.fn = 1))
  answer(tool, set, "best_cost_1_4", measured("cost", cost.fp = 1, cost.fn = 4))
  answer(tool, set, "best_cost_4_1", measured("cost", cost.fp = 4, cost.fn = 1))
  answer(tool, set, "hull", function() {
    hull <- ROCR::performance(ROCR::prediction(score, class), "rch")
    cbind(hull@x.values[[1]], hull@y.values[[1]])
  })
}

for (package in c("pROC", "ROCR")) {
  if (requireNamespace(package, quietly = TRUE)) {
    tool <- paste(package, as.character(packageVersion(package)))
    compute <- if (package == "pROC") with_proc else with_rocr
    for (set in unique(rows$set)) {
      own <- rows[rows$set == set, ]
      compute(tool, set, own$class, hexadecimal(own$score))
    }
  }
}
