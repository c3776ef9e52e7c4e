import java.io.File;
import java.io.FileReader;
import java.io.PrintWriter;
import java.util.Arrays;
import java.util.Random;
import weka.classifiers.Evaluation;
import weka.classifiers.evaluation.NominalPrediction;
import weka.classifiers.trees.J48;
import weka.core.FastVector;
import weka.core.Instances;
import weka.core.Version;

/**
 * Writes what Weka's J48 with its default options predicts, with all digits.
 *
 * <p>Arguments: a folder, then ARFF files whose last attribute is the class. For each of them the
 * folder gets weka_j48_NAME.csv: the predictions of ten-fold cross-validation with seed 1, in
 * Weka's order, then those of the tree of all rows, in the order of the file. The size of that
 * tree and the matrix and areas of the cross-validation go to weka_j48_summary.json.
 */
public class WekaTrees {
    public static void main(String[] arguments) throws Exception {
        try (PrintWriter summary = new PrintWriter(new File(arguments[0], "weka_j48_summary.json"))) {
            summary.println("{");
            summary.println(" \"program\": \"Weka " + Version.VERSION + "\",");
            for (int at = 1; at < arguments.length; at++) {
                String end = at + 1 < arguments.length ? "," : "";
                summary.println(run(new File(arguments[at]), arguments[0]) + end);
            }
            summary.println("}");
        }
    }

    private static String run(File file, String folder) throws Exception {
        Instances rows = new Instances(new FileReader(file));
        rows.setClassIndex(rows.numAttributes() - 1);
        String name = file.getName().replace(".arff", "");
        try (PrintWriter lines = new PrintWriter(new File(folder, "weka_j48_" + name + ".csv"))) {
            lines.print("run,actual,predicted");
            for (int code = 0; code < rows.numClasses(); code++) {
                lines.print("," + rows.classAttribute().value(code));
            }
            lines.println();
            Evaluation tested = new Evaluation(rows);
            tested.crossValidateModel(new J48(), rows, 10, new Random(1));
            write(lines, "cross-validation", rows, tested.predictions());
            J48 tree = new J48();
            tree.buildClassifier(rows);
            Evaluation learned = new Evaluation(rows);
            learned.evaluateModel(tree, rows);
            write(lines, "training", rows, learned.predictions());
            return " \"" + name + "\": " + summary(tree, rows, tested);
        }
    }

    private static void write(
            PrintWriter lines, String run, Instances rows, FastVector predictions) {
        for (int at = 0; at < predictions.size(); at++) {
            NominalPrediction row = (NominalPrediction) predictions.elementAt(at);
            lines.print(run + "," + rows.classAttribute().value((int) row.actual()));
            lines.print("," + rows.classAttribute().value((int) row.predicted()));
            for (double share : row.distribution()) {
                lines.print("," + share);
            }
            lines.println();
        }
    }

    private static String summary(J48 tree, Instances rows, Evaluation tested) {
        double[] areas = new double[rows.numClasses()];
        for (int code = 0; code < areas.length; code++) {
            areas[code] = tested.areaUnderROC(code);
        }
        return "{\"leaves\": " + (int) tree.measureNumLeaves()
                + ", \"nodes\": " + (int) tree.measureTreeSize()
                + ", \"areas\": " + Arrays.toString(areas)
                + ", \"matrix\": " + Arrays.deepToString(tested.confusionMatrix())
                + "}";
    }
}
