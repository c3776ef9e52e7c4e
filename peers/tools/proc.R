# pROC's numbers of every data set: one line of data, quantity and value each.
suppressPackageStartupMessages(library(pROC))

answers <- new.env()
answers$lines <- list()
tell <- function(data, quantity, values) {
  values <- suppressWarnings(as.numeric(unlist(values)))
  written <- ifelse(is.na(values), "NA", ifelse(is.infinite(values),
    ifelse(values > 0, "Inf", "-Inf"), sprintf("%.17g", values)))
  answers$lines[[length(answers$lines) + 1]] <-
    paste0("\"", data, "\",\"", quantity, "\",", written)
}
quietly <- function(expression) {
  tryCatch(suppressWarnings(suppressMessages(expression)), error = function(stopped) NA)
}
curve_of <- function(actual, score, direction = "<") {
  roc(actual, score, levels = c(0, 1), direction = direction, quiet = TRUE)
}
COLUMNS <- c("threshold", "specificity", "sensitivity", "accuracy", "tn", "tp", "fn", "fp",
             "npv", "ppv", "fdr", "fpr", "fnr", "youden", "closest.topleft")

scored <- read.csv("scored.csv")
for (data in unique(scored$data)) {
  rows <- scored[scored$data == data, ]
  curve <- quietly(curve_of(rows$actual, rows$score))
  if (!inherits(curve, "roc")) {
    tell(data, "auc", NA)
    next
  }
  tell(data, "auc", auc(curve))
  tell(data, "DeLong variance", quietly(var(curve, method = "delong")))
  for (level in c(0.9, 0.95)) {
    interval <- quietly(ci.auc(curve, conf.level = level, method = "delong"))
    tell(data, paste("DeLong interval", level), if (length(interval) == 3) interval[c(1, 3)] else NA)
  }
  for (part in list(c(1, 0.9), c(1, 0.7), c(0.8, 0.3))) {
    for (focus in c("specificity", "sensitivity")) {
      name <- paste(focus, part[1], part[2])
      raw <- quietly(auc(curve, partial.auc = part, partial.auc.focus = focus))
      corrected <- quietly(auc(curve, partial.auc = part, partial.auc.focus = focus,
                               partial.auc.correct = TRUE))
      tell(data, paste("partial_auc", name), raw)
      tell(data, paste("partial_auc_mcclish", name), corrected)
    }
  }
  points <- coords(curve, "all", ret = COLUMNS, transpose = FALSE)
  for (column in COLUMNS) tell(data, paste("coords", column), points[[column]])
  for (method in c("youden", "closest.topleft")) {
    best <- coords(curve, "best", best.method = method, ret = "threshold", transpose = FALSE)
    tell(data, paste("best", method), best$threshold)
    costly <- coords(curve, "best", best.method = method, best.weights = c(3, 0.2),
                     ret = "threshold", transpose = FALSE)
    tell(data, paste("costly", method), costly$threshold)
  }
  tell(data, "auto auc", auc(roc(rows$actual, rows$score, levels = c(0, 1), quiet = TRUE)))
}

pairs <- read.csv("pairs.csv")
for (data in unique(pairs$data)) {
  rows <- pairs[pairs$data == data, ]
  first <- curve_of(rows$actual, rows$first)
  second <- curve_of(rows$actual, rows$second)
  test <- quietly(roc.test(first, second, method = "delong", paired = TRUE))
  if (!inherits(test, "htest")) next
  tell(data, "paired DeLong z", test$statistic)
  tell(data, "paired DeLong p", test$p.value)
  tell(data, "paired DeLong interval", test$conf.int)
  for (side in c("greater", "less")) {
    tell(data, paste("paired DeLong p", side),
         roc.test(first, second, method = "delong", paired = TRUE, alternative = side)$p.value)
  }
  tell(data, "covariance of areas", cov(first, second, method = "delong"))
  apart <- quietly(roc.test(first, second, method = "delong", paired = FALSE))
  tell(data, "unpaired DeLong D", apart$statistic)
  tell(data, "unpaired DeLong df", apart$parameter)
  tell(data, "unpaired DeLong p", apart$p.value)
  for (power in c(0.8, 0.9)) {
    planned <- quietly(power.roc.test(first, second, power = power, sig.level = 0.05))
    rows_needed <- if (inherits(planned, "power.htest")) planned$ncases else NA
    tell(data, paste("rows for power", power), rows_needed)
  }
}

plans <- read.csv("plans.csv")
for (line in seq_len(nrow(plans))) {
  plan <- plans[line, ]
  tell(plan$data, "power of one area",
       power.roc.test(auc = plan$auc, ncases = plan$positives, ncontrols = plan$negatives,
                      sig.level = plan$significance)$power)
  tell(plan$data, "positives for one area",
       power.roc.test(auc = plan$auc, power = plan$power, kappa = plan$negatives / plan$positives,
                      sig.level = plan$significance)$ncases)
  tell(plan$data, "significance of one area",
       quietly(power.roc.test(auc = plan$auc, ncases = plan$positives, ncontrols = plan$negatives,
                              power = plan$power, sig.level = NULL)$sig.level))
}

classes <- read.csv("classes.csv", check.names = FALSE)
for (data in unique(classes$data)) {
  rows <- classes[classes$data == data, ]
  chances <- as.matrix(rows[, grep("^class ", names(rows))])
  chances <- chances[, colSums(is.na(chances)) == 0, drop = FALSE]
  colnames(chances) <- sub("^class ", "", colnames(chances))
  tell(data, "auc, hand_till", quietly(multiclass.roc(factor(rows$actual), chances, quiet = TRUE)$auc))
}

writeLines(unlist(answers$lines), "answers.csv")
